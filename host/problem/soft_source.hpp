/// Inputs of A and b of soft rows, for solvers that compute these rows on a device.
#pragma once

#include <cstdint>
#include <vector>

#include "host/problem/attachment_step.hpp"
#include "host/problem/obstacle_contacts.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia {

class TetModel;

/// External force on a node.
struct NodeForce {
  std::int32_t node = 0;
  Vec3d force{};  ///< [N]
};

/// Inputs of one environment, whose first rows are the nodes of the model. Pointers are valid until
/// its step is finished.
struct SoftSource {
  const TetModel* model = nullptr;         ///< null: the problem's A and b have all rows
  const Vec3d* x = nullptr;                ///< [n_node] positions [m]
  const Vec3d* v = nullptr;                ///< [n_node] velocities [m/s]
  Vec3d gravity{};                         ///< [m/s^2]
  AttachmentStep attachments;              ///< attachments
  std::vector<NodeForce> external_forces;  ///< external forces, at most one per node
  std::vector<std::int32_t> others;        ///< nodes whose rows the problem's A and b have
  ObstacleStep obstacles{};  ///< inputs of the contacts, if the solver makes A, b, contacts
  /// The step starts at the end of the last step, which is on the device, from its solution; x and
  /// v are null.
  bool is_on_device = false;

  bool makes_contacts() const { return obstacles.contacts != nullptr; }
  bool may_have_pairs() const {
    return makes_contacts() && obstacles.contacts->soft_searches != nullptr;
  }
  /// True if every node has at most one contact and friction is isotropic.
  bool has_common_contacts() const {
    return !makes_contacts() ||
           (obstacles.contacts->nodes_touch_one_obstacle && obstacles.contacts->is_isotropic);
  }
};

/// Inputs of all environments, or empty. A copy is empty: it may be changed and outlive the step,
/// and has A and b alone.
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
