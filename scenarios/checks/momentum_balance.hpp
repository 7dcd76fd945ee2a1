/// Momentum balance of each step.
#pragma once

#include <vector>

#include "host/io/archive.hpp"
#include "scenarios/checks/masses.hpp"

namespace nodia {

/// Momentum balance of all soft bodies, rigid bodies and cables together. The change of momentum
/// equals the impulse of gravity, force_N, external forces, drag, Rayleigh damping, contacts with
/// obstacles and robots, and attachments.
class MomentumBalance {
 public:
  /// Starts with the velocities of the scene.
  explicit MomentumBalance(const Scene& scene);
  /// Starts with the velocities of a state.
  void start(const State& state);
  /// Sum of forces minus change of momentum per time, of a step [N]. Must be called for every step,
  /// in order.
  Vec3d missing_N(const StepView& view);
  /// Weight plus norm of the sum of force_N. Relative errors refer to it [N].
  double scale_N() const { return scale_N_; }
  void archive(Archive& a) { a("before", before_); }

 private:
  struct Sums {
    Vec3d momentum{}, drag{};  ///< [kg m/s], [N]
    void add(const PointMass& point, Vec3d v) {
      momentum += point.mass_kg * v;
      drag += point.drag_N_s_m * v;
    }
  };

  Sums sums_of(const State& state) const;

  double step_s_, theta_;
  Vec3d constant_N_{};  ///< gravity and applied forces
  double scale_N_ = 0;
  std::vector<std::size_t> supports_;  ///< sensors of mounts and attachments that no body carries
  std::vector<ExternalForceDescription> external_forces_;  ///< those on bodies with is_counted()
  std::vector<PointMass> points_;                          ///< nodes, then frames
  Sums before_;                                            ///< at the start of the step
};

}  // namespace nodia
