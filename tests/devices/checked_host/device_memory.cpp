/// Memory, copies, streams and events of the checked host backend.
#include "kernels/device/device_memory.hpp"

#include <fmt/format.h>

#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"
#include "kernels/device/device.hpp"
#include "tests/devices/checked_host/capture.hpp"
#include "tests/devices/checked_host/checked_host.hpp"

namespace nodia {
namespace {

/// Alignment of cudaMalloc; also the width of the guard strips of an allocation.
constexpr std::size_t kAlignment = 256;
constexpr std::size_t kHeldBackBytes = std::size_t{8} << 20;

bool is_poison(const std::byte* begin, std::size_t bytes) {
  return *begin == std::byte{kCheckedHostPoison} && std::memcmp(begin, begin + 1, bytes - 1) == 0;
}

/// Memory with a guard strip on either side.
struct Block {
  std::byte* data = nullptr;
  std::size_t bytes = 0;

  std::byte* whole() const { return data - kAlignment; }
  std::size_t whole_bytes() const { return bytes + 2 * kAlignment; }
  bool has_whole_strips() const {
    return is_poison(whole(), kAlignment) && is_poison(data + bytes, kAlignment);
  }
};

class CheckedHostMemory {
 public:
  void* allocate(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    CheckedHost& device = checked_host();
    if (device.n_allocation == device.last_allocation) throw_no_room(bytes, 0);
    if (bytes > device.largest_allocation) throw_no_room(bytes, device.largest_allocation);
    ++device.n_allocation;
    Block block{nullptr, bytes};
    block.data = static_cast<std::byte*>(
                     ::operator new (block.whole_bytes(), std::align_val_t{kAlignment})) +
                 kAlignment;
    std::memset(block.whole(), kCheckedHostPoison, block.whole_bytes());
    live_[block.data] = block;
    return block.data;
  }

  void free(void* memory) {
    const std::lock_guard lock(mutex_);
    const auto found = live_.find(static_cast<std::byte*>(memory));
    if (found == live_.end()) {
      fault_ = "memory that is not allocated was freed";
      return;
    }
    const Block block = found->second;
    live_.erase(found);
    check_strips(block);
    std::memset(block.whole(), kCheckedHostPoison, block.whole_bytes());
    held_back_.push_back(block);
    held_back_bytes_ += block.whole_bytes();
    while (held_back_bytes_ > kHeldBackBytes) release_oldest();
  }

  /// Throws RuntimeError unless the range lies in one allocation.
  void require_device(const char* call, const void* begin, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (!in_one_allocation(static_cast<const std::byte*>(begin), bytes))
      throw RuntimeError(fmt::format("{}: {} bytes are not in device memory", call, bytes));
  }
  /// Throws RuntimeError if the range begins in an allocation.
  void require_host(const char* call, const void* begin, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (in_one_allocation(static_cast<const std::byte*>(begin), 1))
      throw RuntimeError(fmt::format("{}: {} bytes are not in the host's memory", call, bytes));
  }

  void fail(const std::string& fault) {
    const std::lock_guard lock(mutex_);
    fault_ = fault;
  }
  void report_fault(const std::string& what) {
    const std::lock_guard lock(mutex_);
    if (!fault_.empty()) throw RuntimeError(what + ": " + fault_);
  }
  /// Downloads the current contents. The host memory has them after the next wait.
  void fetch(void* pinned, const void* device, std::size_t bytes, DeviceStream stream) {
    const std::lock_guard lock(mutex_);
    const auto* from = static_cast<const std::byte*>(device);
    fetches_[stream].pending.push_back({pinned, {from, from + bytes}});
  }
  /// Number of downloads in the stream so far.
  std::int64_t n_fetch(DeviceStream stream) {
    const std::lock_guard lock(mutex_);
    const Fetches& all = fetches_[stream];
    return all.n_taken + static_cast<std::int64_t>(all.pending.size());
  }
  /// Removes a stream that ends.
  void forget(DeviceStream stream) {
    const std::lock_guard lock(mutex_);
    fetches_.erase(stream);
  }
  /// Completes the first n_fetch downloads of the stream.
  /// Throws RuntimeError if a kernel failed, or if unallocated memory was written.
  void synchronize(const std::string& what, DeviceStream stream, std::int64_t n_fetch) {
    const std::lock_guard lock(mutex_);
    const Stopwatch copying;
    for (Fetches& all = fetches_[stream]; all.n_taken < n_fetch; ++all.n_taken) {
      const Fetch& fetch = all.pending.front();
      std::memcpy(fetch.to, fetch.bytes.data(), fetch.bytes.size());
      all.pending.pop_front();
    }
    checked_host().copy_s += copying.seconds();
    const CheckedHostOwnTime checking;
    for (const auto& [data, block] : live_) check_strips(block);
    for (const Block& block : held_back_) check_held_back(block);
    if (fault_.empty()) return;
    throw RuntimeError(what + ": " + std::exchange(fault_, {}));
  }

 private:
  bool in_one_allocation(const std::byte* begin, std::size_t bytes) const {
    const auto after = live_.upper_bound(const_cast<std::byte*>(begin));
    if (after == live_.begin()) return false;
    const Block& block = std::prev(after)->second;
    return begin + bytes <= block.data + block.bytes;
  }
  void check_strips(const Block& block) {
    if (!block.has_whole_strips())
      fault_ = fmt::format("written beside an allocation of {} bytes", block.bytes);
  }
  void check_held_back(const Block& block) {
    if (!is_poison(block.whole(), block.whole_bytes()))
      fault_ = fmt::format("written to freed memory of {} bytes", block.bytes);
  }
  void release_oldest() {
    const Block block = held_back_.front();
    held_back_.pop_front();
    held_back_bytes_ -= block.whole_bytes();
    check_held_back(block);
    ::operator delete (block.whole(), std::align_val_t{kAlignment});
  }

  struct Fetch {
    void* to;
    std::vector<std::byte> bytes;
  };
  /// Downloads of a stream.
  struct Fetches {
    std::deque<Fetch> pending;  ///< not yet completed by a wait
    std::int64_t n_taken = 0;   ///< number of completed downloads
  };

  std::mutex mutex_;
  std::map<DeviceStream, Fetches> fetches_;
  std::map<std::byte*, Block> live_;
  std::deque<Block> held_back_;  ///< freed memory, oldest first
  std::size_t held_back_bytes_ = 0;
  std::string fault_;
};

/// Never destroyed, because buffers of static duration may be freed later.
CheckedHostMemory& memory() {
  static auto* const all = new CheckedHostMemory;
  return *all;
}

void count(DeviceStream stream) {
  if (stream == nullptr) ++checked_host().n_on_null_stream;
}
void count_wait(const char* call, DeviceStream stream) {
  require_no_capture(call, stream);
  count(stream);
  ++checked_host().n_wait;
}

}  // namespace

void fail_on_checked_host(const std::string& fault) {
  memory().fail(fault);
}

void report_fault_on_checked_host(const std::string& what) {
  memory().report_fault(what);
}

void* device_allocate(std::size_t bytes) {
  return bytes == 0 ? nullptr : memory().allocate(bytes);
}

void device_free(void* allocated) noexcept {
  if (allocated != nullptr) memory().free(allocated);
}

void copy_to_device(void* device, const void* host, std::size_t bytes, DeviceStream stream) {
  if (bytes == 0) return;
  count_wait("copy_to_device", stream);
  memory().require_device("copy_to_device", device, bytes);
  memory().require_host("copy_to_device", host, bytes);
  checked_host().bytes_up += static_cast<std::int64_t>(bytes);
  ++checked_host().n_copy;
  const Stopwatch watch;
  std::memcpy(device, host, bytes);
  checked_host().copy_s += watch.seconds();
}

void copy_to_host(void* host, const void* device, std::size_t bytes, DeviceStream stream) {
  if (bytes == 0) return;
  count_wait("copy_to_host", stream);
  memory().require_device("copy_to_host", device, bytes);
  memory().require_host("copy_to_host", host, bytes);
  checked_host().bytes_down += static_cast<std::int64_t>(bytes);
  ++checked_host().n_copy;
  const Stopwatch watch;
  std::memcpy(host, device, bytes);
  checked_host().copy_s += watch.seconds();
}

void copy_on_device(void* to, const void* from, std::size_t bytes, DeviceStream stream) {
  if (bytes == 0) return;
  count(stream);
  memory().require_device("copy_on_device", to, bytes);
  memory().require_device("copy_on_device", from, bytes);
  do_on_checked_host(stream, "", [=] {
    const CheckedHostOwnTime time;
    std::memcpy(to, from, bytes);
  });
}

void device_clear(void* device, std::size_t bytes, DeviceStream stream) {
  if (bytes == 0) return;
  count(stream);
  memory().require_device("device_clear", device, bytes);
  do_on_checked_host(stream, "", [=] {
    const CheckedHostOwnTime time;
    std::memset(device, 0, bytes);
  });
}

PinnedMemory::PinnedMemory(std::size_t bytes) {
  if (!checked_host().has_pages) throw RuntimeError("pinned memory: out of memory");
  data_ = ::operator new(bytes);
  std::memset(data_, kCheckedHostPoison, bytes);
}

void PinnedMemory::free(void* data) noexcept {
  ::operator delete(data);
}

void PinnedMemory::fetch(const void* device, std::size_t bytes, DeviceStream stream,
                         std::size_t begin) {
  count(stream);
  memory().require_device("fetch", device, bytes);
  do_on_checked_host(stream, "", [=, to = static_cast<std::byte*>(data_) + begin] {
    checked_host().bytes_down += static_cast<std::int64_t>(bytes);
    ++checked_host().n_copy;
    memory().fetch(to, device, bytes, stream);
  });
}

void PinnedMemory::send(void* device, std::size_t begin, std::size_t bytes,
                        DeviceStream stream) const {
  count(stream);
  memory().require_device("send", device, bytes);
  do_on_checked_host(stream, "", [=, from = static_cast<const std::byte*>(data_) + begin] {
    checked_host().bytes_up += static_cast<std::int64_t>(bytes);
    ++checked_host().n_copy;
    const Stopwatch watch;
    std::memcpy(device, from, bytes);
    checked_host().copy_s += watch.seconds();
  });
}

OwnedStream::OwnedStream(const char*) : stream_(static_cast<DeviceStream>(::operator new(1))) {}

void OwnedStream::destroy(DeviceStream stream) noexcept {
  memory().forget(stream);
  ::operator delete(stream);
}

/// Point in a stream, given by the number of preceding downloads.
struct CheckedHostEvent {
  DeviceStream stream = nullptr;
  std::int64_t n_fetch = 0;
};

OwnedEvent::OwnedEvent(const char*) : event_(reinterpret_cast<CUevent_st*>(new CheckedHostEvent)) {}

void OwnedEvent::destroy(CUevent_st* event) noexcept {
  delete reinterpret_cast<CheckedHostEvent*>(event);
}

void OwnedEvent::record(DeviceStream stream) {
  *reinterpret_cast<CheckedHostEvent*>(event_) = {stream, memory().n_fetch(stream)};
}

void OwnedEvent::wait(const std::string& what) const {
  const auto& moment = *reinterpret_cast<const CheckedHostEvent*>(event_);
  count_wait("wait", moment.stream);
  memory().synchronize(what, moment.stream, moment.n_fetch);
}

void synchronize_device(const std::string& what, DeviceStream stream) {
  count_wait("synchronize_device", stream);
  memory().synchronize(what, stream, memory().n_fetch(stream));
}

}  // namespace nodia
