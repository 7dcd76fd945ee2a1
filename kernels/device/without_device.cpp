/// Device functions of a build without CUDA, which has no device.
#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/device_memory.hpp"
#include "kernels/device/memory_time.hpp"
#include "kernels/device/no_device.hpp"
#include "kernels/device/select_flagged.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/device/ticket_litmus.hpp"

namespace nodia {

namespace {
constexpr const char* kReason =
    "this build lacks CUDA (where nvcc is, build it from a clone: tools/build.sh nodia)";
}  // namespace

void throw_no_device(const std::string& what) {
  throw RuntimeError(what + ": " + kReason);
}

bool is_built_with_cuda() {
  return false;
}

bool device_available(std::string* reason) {
  if (reason) *reason = kReason;
  return false;
}

int device_count() {
  return 0;
}

int current_device() {
  throw_no_device("current_device");
}

void start_profiler() {}

bool device_memory_is_the_hosts() {
  return false;
}

std::size_t device_free_bytes() {
  return 0;
}

DeviceDescription describe_device(int device) {
  throw_bad_value("device", device, "a device of this machine", kReason);
}

void require_device(const std::string&, int) {
  throw RuntimeError(kReason);
}

DeviceScope::DeviceScope(int) {
  throw RuntimeError(kReason);
}

void DeviceScope::go_back(int) noexcept {}

bool can_record_loops(std::string* reason) {
  return device_available(reason);
}

void* device_allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  throw_no_device("device_allocate");
}

void device_free(void*) noexcept {}

void copy_to_device(void*, const void*, std::size_t bytes, DeviceStream) {
  if (bytes > 0) throw_no_device("copy_to_device");
}

void copy_to_host(void*, const void*, std::size_t bytes, DeviceStream) {
  if (bytes > 0) throw_no_device("copy_to_host");
}

void copy_on_device(void*, const void*, std::size_t bytes, DeviceStream) {
  if (bytes > 0) throw_no_device("copy_on_device");
}

void device_clear(void*, std::size_t bytes, DeviceStream) {
  if (bytes > 0) throw_no_device("device_clear");
}

PinnedMemory::PinnedMemory(std::size_t) {
  throw_no_device("pinned memory");
}

void PinnedMemory::free(void*) noexcept {}

void PinnedMemory::fetch(const void*, std::size_t, DeviceStream, std::size_t) {
  throw_no_device("pinned memory");
}

void PinnedMemory::send(void*, std::size_t, std::size_t, DeviceStream) const {
  throw_no_device("pinned memory");
}

OwnedStream::OwnedStream(const char* what) {
  throw_no_device(what);
}

void OwnedStream::destroy(DeviceStream) noexcept {}

OwnedEvent::OwnedEvent(const char* what) {
  throw_no_device(what);
}

void OwnedEvent::destroy(CUevent_st*) noexcept {}

void OwnedEvent::record(DeviceStream) {
  throw_no_device("a moment");
}

void OwnedEvent::wait(const std::string& what) const {
  throw_no_device(what);
}

double device_read_time_s(std::size_t) {
  throw_no_device("memory time");
}

double device_copy_time_s(std::size_t) {
  throw_no_device("memory time");
}

TicketFindings run_ticket_litmus(Tickets, const TicketShape&, int) {
  throw_no_device("ticket litmus");
}

void synchronize_device(const std::string& what, DeviceStream) {
  throw_no_device(what);
}

DeviceSelectFlagged::DeviceSelectFlagged(int) {
  throw_no_device("select_flagged");
}

void DeviceSelectFlagged::operator()(const std::uint8_t*, int, std::int32_t*, std::int32_t*,
                                     DeviceStream) {
  throw_no_device("select_flagged");
}

}  // namespace nodia
