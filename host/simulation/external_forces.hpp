/// External forces of a scene on the rows of one environment.
#pragma once

#include <utility>
#include <vector>

#include "host/simulation/body_system.hpp"

namespace nodia {

class ExternalForces {
 public:
  ExternalForces() = default;
  /// @param system  requires its topology
  ExternalForces(const Scene& scene, const BodySystem& system);

  /// Sets the step from `start` to `end_s`, to which all other functions refer.
  /// @param system  its robots must have the kinematics of `start`
  void begin_step(const State& start, double end_s, const BodySystem& system);

  /// Mean over the step per row [N], generalized forces for robots; null without a force.
  const std::vector<Vec3d>* force() const { return acts_ ? &force_ : nullptr; }
  /// Adds the velocity change of nodes and frames. @param v  velocities of all rows
  void fall(Vec3d* v) const;
  /// Work in the step, with that of the constant forces on rigid bodies [J]. That on robots is of
  /// first order in the length of the step. @param v_hat  of all rows
  double work_J(const Vec3d* v_hat) const;
  void add_link_loads(std::vector<LinkLoad>* loads) const;

 private:
  struct ExternalForce {
    ExternalForceDescription description;
    /// Rows of a body other than a robot, each with its share of the force [-].
    std::vector<std::pair<std::int32_t, double>> shares;
    int robot = -1, link = -1;
    Vec3d centre_in_link{};
    Vec3d mean_N{};  ///< mean over the step
  };

  void add_to_link(const ExternalForce& external_force, const BodySystem& system);

  double step_s_ = 0;
  std::vector<ExternalForce> external_forces_;
  /// Rows on which forces act, robots excepted, each with its mass [kg].
  std::vector<std::pair<std::int32_t, double>> falling_;
  /// Constant forces on rows of rigid bodies, which their models add to b [N].
  std::vector<std::pair<std::int32_t, Vec3d>> constant_;
  // Values of the current step.
  bool acts_ = false;
  std::vector<Vec3d> force_;
  std::vector<LinkLoad> loads_;
};

}  // namespace nodia
