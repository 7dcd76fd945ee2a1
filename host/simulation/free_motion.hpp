/// Estimates the motion of every body in a step without contacts; the search margin uses it.
#pragma once

#include <vector>

#include "host/simulation/body_system.hpp"
#include "host/simulation/external_forces.hpp"

namespace nodia {

/// Estimates the velocities A^-1 b at the end of a step without contacts: large enough, not exact.
/// Every body has u = v + t g + t f/m, f external, plus a share of the other forces r = b - A u:
///
///   soft body, cable    translation of the whole, sum r / sum A, and A_ii^-1 r_i of nodes, links
///   rigid body          A_ii^-1 r_i, exact if no constraint couples it
///   robot               A_ii^-1 r_i of all its joints, exact if no constraint couples it
class FreeMotion {
 public:
  /// @param A_value, b  system with mounts and attachments, without contacts
  void update(const BodySystem& system, const State& state, const ExternalForces& external_forces,
              int n_thread, const double* A_value, const Vec3d* b);
  /// Computes free fall with external forces only, for methods that assemble no matrix.
  void fall(const BodySystem& system, const State& state, const ExternalForces& external_forces);

  /// Velocities with the layout of State::v.
  const std::vector<Vec3d>& v() const { return v_; }

 private:
  void set_residual(const BlockPattern& pattern, int n_thread, const double* A_value,
                    const Vec3d* b);
  Vec3d translation(const BlockPattern& pattern, const double* A_value, std::int32_t first,
                    std::int32_t end, std::int32_t stride, int n_thread) const;
  template <int kSize>
  void add_block(const BlockPattern& pattern, const double* A_value, std::int32_t first,
                 std::int32_t n_row);

  std::vector<Vec3d> v_, r_;
};

}  // namespace nodia
