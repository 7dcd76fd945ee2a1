/// The matrix of a time step in relative coordinates on a device, and the stream of all work with
/// it.
#pragma once

#include <memory>
#include <optional>

#include "fem/matrix/block_matrix.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/device_error.hpp"
#include "kernels/device/loop_launcher.hpp"
#include "kernels/device/run_loop.hpp"

namespace nodia {

/// Which device, and how loops come onto it.
struct DevicePlace {
  int device = 0;
  std::optional<LoopLauncher> loop;  ///< without it as resolve() has it
};

/// Every failure of the device is a DeviceError; then nothing here is of use.
class DeviceMatrix {
 public:
  explicit DeviceMatrix(const DevicePlace& place);

  /// The matrix of a time step, and its pattern where that is another.
  void set(const BlockMatrix& K);
  BlockCsrView<double> view() const;
  const std::int32_t* diagonal() const { return diagonal_.data(); }
  /// Entries of its values.
  std::size_t size() const { return value_.size(); }
  /// Changes with the pattern.
  int version() const { return version_; }

  DeviceStream stream() const { return stream_->get(); }
  LoopLauncher launcher() const { return launcher_; }
  DeviceQueue queue() const { return queue_of(launcher_, stream()); }
  /// work() launches in the stream and copies, with faults told.
  /// @param what  that fails
  template <class Work>
  void on_device(const char* what, const Work& work) const;

 private:
  int device_;
  LoopLauncher launcher_;
  std::optional<OwnedStream> stream_;
  std::shared_ptr<const BlockPattern> pattern_;  ///< whose lists are there
  DeviceBuffer<std::int32_t> row_begin_, column_, diagonal_;
  DeviceBuffer<double> value_;
  int version_ = 0;
};

template <class Work>
void DeviceMatrix::on_device(const char* what, const Work& work) const {
  try {
    const DeviceScope scope(device_);
    launch_as(what, launcher_, stream_ ? stream() : nullptr, work);
  } catch (const RuntimeError& error) {
    throw DeviceError(error.what());
  }
}

}  // namespace nodia
