/// Smoothing on a device, with the matrix of a time step on it.
#pragma once

#include "host/solvers/multigrid/device_matrix.hpp"
#include "kernels/newton/device/device_smoothing.hpp"

namespace nodia {

class DeviceSmoothing {
 public:
  explicit DeviceSmoothing(const DeviceMatrix* matrix) : matrix_(*matrix) {}

  /// Uploads the data of a time step.
  /// @param view  on the host, with K the matrix; only single contacts
  void set(const SmoothingView& view, int n_contact);
  /// Smooths (y, g, lambda) n_times.
  void run(int n_times, std::vector<Vec3d>* y, std::vector<Vec3d>* g, std::vector<Vec3d>* lambda);

 private:
  const DeviceMatrix& matrix_;
  int n_row_ = 0, n_single_ = 0;
  DeviceBuffer<Vec3d> b_, y_, g_, lambda_;
  DeviceBuffer<double> w_, compliance_;
  DeviceBuffer<Mat3d> inverse_;
  DeviceBuffer<Contact<double>> contact_;
  DeviceBuffer<std::int32_t> part_begin_, single_;
  DeviceBuffer<ContactPart> part_;
  DeviceBuffer<SmoothingView> view_;
};

}  // namespace nodia
