/// Device properties, timing, sorting and selection of the checked host backend.
#include "kernels/device/device.hpp"

#include <mutex>
#include <utility>

#include "kernels/core/error.hpp"
#include "kernels/device/memory_time.hpp"
#include "kernels/device/select_flagged.hpp"
#include "kernels/launch/select_flagged.hpp"
#include "tests/devices/checked_host/capture.hpp"
#include "tests/devices/checked_host/checked_host.hpp"

namespace nodia {
namespace {

[[noreturn]] void throw_no_times() {
  throw RuntimeError("memory time: the checked host backend has no times of its own");
}

}  // namespace

CheckedHost& checked_host() {
  static CheckedHost device;
  return device;
}

void note_checked_host_recording(std::string kernels) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  checked_host().recordings.push_back(std::move(kernels));
}

bool is_built_with_cuda() {
  return true;
}

bool device_available(std::string*) {
  return true;
}

int device_count() {
  return 1;
}

int current_device() {
  return 0;
}

void require_device(const std::string& key, int device) {
  require(device == 0, key, device, "0", "there is the checked host backend alone");
}

DeviceScope::DeviceScope(int device) {
  require_device("device", device);
}

void DeviceScope::go_back(int) noexcept {}

bool can_record_loops(std::string* reason) {
  if (!checked_host().records_loops && reason)
    *reason = "the checked host backend records no loops";
  return checked_host().records_loops;
}

void start_profiler() {}

bool device_memory_is_the_hosts() {
  return true;
}

std::size_t device_free_bytes() {
  return kCheckedHostMemoryBytes;
}

DeviceDescription describe_device(int device) {
  require(device == 0, "device", device, "a device of this machine", "the checked host is 0");
  return {checked_host().name, 9, 0, 1, kCheckedHostMemoryBytes};
}

double device_read_time_s(std::size_t) {
  throw_no_times();
}

double device_copy_time_s(std::size_t) {
  throw_no_times();
}

DeviceSelectFlagged::DeviceSelectFlagged(int) {}

void DeviceSelectFlagged::operator()(const std::uint8_t* flag, int n, std::int32_t* selected,
                                     std::int32_t* n_selected, DeviceStream stream) {
  do_on_checked_host(stream, "select_flagged", [=] {
    const CheckedHostOwnTime time;
    select_flagged(flag, n, selected, n_selected);
  });
}

}  // namespace nodia
