/// Inputs of the contacts of soft nodes with obstacles and of soft surfaces with each other, for
/// solvers that make these contacts on a device.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "host/collision/soft_searches.hpp"
#include "kernels/collision/obstacle.hpp"
#include "kernels/contact/contact_terms.hpp"
#include "kernels/core/node_range.hpp"

namespace nodia {

/// Constant inputs of an environment that has soft rows only. A *place* is the index node
/// n_obstacle
/// + obstacle of a node and an obstacle.
struct ObstacleContacts {
  std::vector<std::int32_t> surface;                    ///< [n_node] -1: may not collide
  std::vector<std::uint8_t> may_collide;                ///< [surface][obstacle] 1: may collide
  std::vector<ContactRule> rule;                        ///< [surface][obstacle]
  std::vector<double> extent;                           ///< [surface][obstacle] smaller extent [m]
  std::vector<NodeRange> body;                          ///< nodes of soft bodies, ascending
  std::vector<Shape> shape;                             ///< [n_obstacle]
  std::vector<std::shared_ptr<const void>> shape_data;  ///< owners of the shapes' samples
  std::int32_t n_tet = 0;                               ///< tetrahedra of the model
  ContactTimes times;
  DetectionReach reach;
  /// Searches between soft surfaces; null: none may collide.
  std::shared_ptr<const SoftSearches> soft_searches;
  std::vector<ContactRule> pair_rule;     ///< [search]
  bool nodes_touch_one_obstacle = false;  ///< every node may collide with at most one obstacle
  bool is_isotropic = false;              ///< mu1 = mu2 for all pairs

  int n_obstacle() const { return static_cast<int>(shape.size()); }
  std::int64_t n_place() const { return static_cast<std::int64_t>(surface.size() * shape.size()); }
};

/// Contact force between soft surfaces.
struct PairForce {
  SoftPair pair;  ///< without positions
  Vec3d force{};  ///< contact frame [N]
};

/// Poses of an obstacle at the start and the end of a step.
struct ObstacleMotion {
  Pose now, next;
};

/// Inputs of an environment in a step.
struct ObstacleStep {
  std::shared_ptr<const ObstacleContacts> contacts;  ///< null: the problem has the contacts
  /// The environment is inactive: it has no contacts, and the members below are unset.
  bool is_inactive = false;
  std::vector<ObstacleMotion> obstacle;  ///< [n_obstacle]
  /// The initial guess is the solver's last contact forces; otherwise it is `forces`.
  bool starts_from_last = false;
  std::vector<std::pair<std::int32_t, Vec3d>> forces;  ///< by ascending place [N]
  std::vector<PairForce> pair_forces;                  ///< in the order of contacts
};

/// Contacts that a solver has made in an environment, and their forces.
struct DownloadedContacts {
  std::vector<NodeAtObstacle> near;  ///< ordered by (node, obstacle)
  std::vector<SoftPair> pair;        ///< in the order of ProximitySearch
  std::vector<Vec3d> lambda;         ///< contact forces of near, then of pair, contact frame [N]

  void clear() {
    near.clear();
    pair.clear();
    lambda.clear();
  }
};

}  // namespace nodia
