/// Conjugate gradients on a device. The CPU makes the hierarchy. The device makes the finest
/// level's smoother from K, of which only changed blocks are uploaded; coarse levels are uploaded
/// when they are new.
#pragma once

#include "host/solvers/multigrid/conjugate_gradients.hpp"
#include "host/solvers/multigrid/device_matrix.hpp"
#include "kernels/multigrid/device/device_multigrid.hpp"

namespace nodia {

/// True if a hierarchy of this topology can run on a device: without cables.
bool has_device_form(const Topology& topology);

/// Every failure of the device is a DeviceError; the object is unusable after it.
class DeviceGradients final : public ConjugateGradients {
 public:
  /// @param matrix     matrix of a time step; those of set_matrix() differ from it in blocks
  /// @param multigrid  kept by reference; its topology has_device_form() and does not change
  DeviceGradients(const DeviceMatrix* matrix, Multigrid* multigrid);

  void set_matrix(const BlockMatrix& K, const std::vector<std::int32_t>& blocks) override;
  void update_matrix(const std::vector<std::int32_t>& blocks) override;
  void take(std::vector<Vec3d>* x) override;

 protected:
  void begin(const std::vector<Vec3d>& r) override;
  GradientState take_steps(const GradientGoal& goal) override;

 private:
  struct Level {
    DeviceBuffer<std::int32_t> group_begin, segment, member_begin, member, aggregate;
    DeviceBuffer<std::int64_t> inverse_begin;
    DeviceBuffer<Prolongation<float>> prolongation;
    DeviceBuffer<std::int32_t> slice_begin, column, dense_slice_begin, dense_column;
    DeviceBuffer<float> value, inverse, dense_value;
    DeviceBuffer<float> right, x, half, step, residual;
  };

  DeviceStream stream() const { return matrix_.stream(); }
  void send_rows();
  void send_coarse_levels();
  void send_pattern();
  void send_matrix();
  void send_views();
  MultigridLevel view(int l);
  MultigridBuild fine_build();
  GradientKey key();

  const DeviceMatrix& matrix_;
  const BlockMatrix* K_ = nullptr;
  bool is_sent_ = false;               ///< K is on the device
  bool is_new_ = true;                 ///< all of K must be uploaded
  std::vector<std::int32_t> changed_;  ///< blocks of K to upload
  int pattern_ = -1;                   ///< version of matrix_ whose slices are uploaded
  int version_ = -1;                   ///< version of the uploaded coarse levels
  std::vector<double> lambda_max_;     ///< uploaded lambda_max per level

  std::vector<Level> levels_;
  DeviceBuffer<MultigridLevel> views_;
  // Arrays of the finest level.
  DeviceBuffer<std::int32_t> block_;
  DeviceBuffer<std::int64_t> place_;
  DeviceBuffer<double> K_value_, inverse_;
  DeviceBuffer<std::int32_t> changed_block_;
  DeviceBuffer<double> changed_value_;
  DeviceBuffer<MultigridBuild> build_;
  // Arrays of conjugate gradients.
  DeviceBuffer<Vec3d> r_, x_, rest_, cycled_, direction_, product_;
  DeviceBuffer<double> part_;
  DeviceBuffer<GradientGoal> goal_;
  DeviceBuffer<GradientState> state_;
  DeviceBuffer<GradientView> gradient_view_;
  DeviceMultigrid loop_;
};

}  // namespace nodia
