/// The matrix of a time step in relative coordinates on a device, and the stream of all its work.
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

/// Device and launch mode.
struct DevicePlace {
  int device = 0;
  std::optional<LoopLauncher> loop;  ///< without a value resolve() chooses
};

/// Every failure of the device is a DeviceError; the object is unusable after it.
class DeviceMatrix {
 public:
  explicit DeviceMatrix(const DevicePlace& place);

  /// Uploads the matrix of a time step, and its pattern if it is new.
  void set(const BlockMatrix& K);
  BlockCsrView<double> view() const;
  const std::int32_t* diagonal() const { return diagonal_.data(); }
  /// Number of entries of the values.
  std::size_t size() const { return value_.size(); }
  /// Increases with every new pattern.
  int version() const { return version_; }

  DeviceStream stream() const { return stream_->get(); }
  LoopLauncher launcher() const { return launcher_; }
  DeviceQueue queue() const { return queue_of(launcher_, stream()); }
  /// Runs work(), which launches in the stream and copies; device faults become DeviceError.
  /// @param what  name of the work in the message
  template <class Work>
  void on_device(const char* what, const Work& work) const;

 private:
  int device_;
  LoopLauncher launcher_;
  std::optional<OwnedStream> stream_;
  std::shared_ptr<const BlockPattern> pattern_;  ///< pattern whose lists are uploaded
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
