/// Asynchronous copies from a device to the host.
#include "kernels/device/device_fetches.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr std::size_t kFewestBytes = std::size_t{1} << 16;

}  // namespace

/// Finds page-locked memory for `bytes` bytes after used_ of current_. @return true if found
bool DeviceFetches::find_room(std::size_t bytes) {
  for (; current_ < pages_.size(); ++current_, used_ = 0)
    if (bytes <= pages_[current_]->bytes - used_) return true;
  if (!has_pages_) return false;
  const std::size_t last = pages_.empty() ? kFewestBytes : pages_.back()->bytes;
  try {
    pages_.push_back(std::make_unique<Pages>(std::max(bytes, 2 * last)));
  } catch (const RuntimeError&) {
    has_pages_ = false;
  }
  return has_pages_;
}

void DeviceFetches::add(void* host, const void* device, std::size_t bytes, DeviceStream stream) {
  if (bytes == 0) return;
  if (!find_room(bytes)) return copy_to_host(host, device, bytes, stream);
  PinnedMemory& memory = pages_[current_]->memory;
  memory.fetch(device, bytes, stream, used_);
  fetches_.push_back({host, static_cast<const std::byte*>(memory.data()) + used_, bytes});
  used_ += bytes;
}

void DeviceFetches::take(const std::string& what, DeviceStream stream) {
  const std::vector<Fetch> fetches = std::move(fetches_);
  drop();
  synchronize_device(what, stream);
  for (const Fetch& fetch : fetches) std::memcpy(fetch.host, fetch.page, fetch.bytes);
}

void DeviceFetches::drop() {
  fetches_.clear();
  current_ = used_ = 0;
}

}  // namespace nodia
