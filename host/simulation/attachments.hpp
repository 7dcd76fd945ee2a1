/// Nodes held by moving frames: potentials 1/2 K |x - target(time)|^2, implicit in the step.
#pragma once

#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// The attachments of one environment, bound to node indices.
class Attachments {
 public:
  Attachments() = default;
  /// @param body_first_node  first node of each soft body
  /// @param x                positions at t = 0 [m]
  Attachments(const Scene& scene, const std::vector<int>& body_first_node,
              const std::vector<Vec3d>& x);

  /// Adds theta t K to `diagonal` [kg/s] and K (target(time + theta t) - x) to `force` [N] of every
  /// held node.
  void add_to_system(double time_s, double step_s, double theta, const std::vector<Vec3d>& x,
                     std::vector<double>* diagonal, std::vector<Vec3d>* force) const;

  struct Totals {
    Vec3d force_N{};      ///< sum over nodes of the force on the bodies
    double work_J = 0;    ///< done by the moving frames in the step
    double energy_J = 0;  ///< potential energy at `end_s`
  };
  /// @param x  positions at end_s [m]
  Totals totals(double begin_s, double end_s, const std::vector<Vec3d>& x) const;

 private:
  struct HeldNode {
    std::int32_t node;
    Vec3d place;  ///< in the frame [m]
  };
  struct Group {
    Path path;
    double stiffness_N_m;
    double release_time_s;
    std::vector<HeldNode> nodes;
    bool holds(double time_s) const { return release_time_s < 0 || time_s < release_time_s; }
  };
  std::vector<Group> groups_;
};

}  // namespace nodia
