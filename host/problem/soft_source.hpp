/// What the rows of soft nodes in A and b were made of, for a solver that makes them anew where it
/// runs.
#pragma once

#include <cstdint>
#include <vector>

#include "host/problem/hold_step.hpp"
#include "host/problem/obstacle_contacts.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia {

class TetModel;

/// On one node, in b.
struct SoftNodePush {
  std::int32_t node = 0;
  Vec3d force{};  ///< [N]
};

/// Of one environment, whose first rows are the model's nodes. Pointers are valid until its step is
/// finished.
struct SoftSource {
  const TetModel* model = nullptr;   ///< null: all rows are as A and b say
  const Vec3d* x = nullptr;          ///< positions of the nodes [m]
  const Vec3d* v = nullptr;          ///< velocities [m/s]
  Vec3d gravity{};                   ///< [m/s^2]
  HoldStep holds;                    ///< in A's diagonal and in b
  std::vector<SoftNodePush> pushes;  ///< on different nodes
  /// Nodes whose rows are more than that, as A and b say.
  std::vector<std::int32_t> others;
  /// Where A, b and contacts are the solver's to make.
  ObstacleStep obstacles{};
  /// x and v are null: the step starts at the end of the last one, which the solver was left with,
  /// and from its answer.
  bool is_left = false;

  bool makes_contacts() const { return obstacles.contacts != nullptr; }
  bool may_have_pairs() const {
    return makes_contacts() && obstacles.contacts->soft_searches != nullptr;
  }
  /// Whether each node has one contact at most, and friction is isotropic.
  bool has_common_contacts() const {
    return !makes_contacts() ||
           (obstacles.contacts->nodes_meet_one && obstacles.contacts->is_isotropic);
  }
};

/// Of all environments, or of none. It stays with the problem that it was made for: a copy, which
/// may be changed and outlive the step, has A and b alone.
class SoftSources {
 public:
  SoftSources() = default;
  SoftSources(const SoftSources&) {}
  SoftSources(SoftSources&&) = default;
  SoftSources& operator=(const SoftSources& other) {
    if (this != &other) of_env_.clear();
    return *this;
  }
  SoftSources& operator=(SoftSources&&) = default;
  ~SoftSources() = default;

  bool empty() const { return of_env_.empty(); }
  void resize(std::size_t n_env) { of_env_.resize(n_env); }
  SoftSource& operator[](std::size_t env) { return of_env_[env]; }
  const SoftSource& operator[](std::size_t env) const { return of_env_[env]; }

 private:
  std::vector<SoftSource> of_env_;
};

}  // namespace nodia
