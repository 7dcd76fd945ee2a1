/// Where every body would go in a step without contact: what the reach of detection is made of.
#pragma once

#include <vector>

#include "host/simulation/body_system.hpp"
#include "host/simulation/pushes.hpp"

namespace nodia {

/// An estimate of the velocities A^-1 b that a step without contact ends with, made to look far
/// enough and not to be exact: every body falls freely and is pushed, u = v + t g + t f/m, and
/// takes in addition what the other forces r = b - A u give it,
///
///   soft body, cable    the translation of the whole, sum r / sum A, and of every node or link its
///                       own share A_ii^-1 r_i
///   rigid body          A_ii^-1 r_i, exact where nothing couples it
///   robot               A_ii^-1 r_i of all its joints, exact where nothing couples it
class FreeMotion {
 public:
  /// @param A_value, b  of the system's rows, mounts and attachments included, contacts left out
  void update(const BodySystem& system, const State& state, const Pushes& pushes, int n_thread,
              const double* A_value, const Vec3d* b);
  /// Free fall alone, for methods that assemble nothing; constant outer forces and pushes included.
  void fall(const BodySystem& system, const State& state, const Pushes& pushes);

  /// As State::v.
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
