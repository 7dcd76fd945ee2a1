/// What contacts of soft nodes with obstacles are made of, for a solver that makes them where it
/// runs.
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

/// Of an environment all of whose rows are soft nodes, which can meet obstacles and each other:
/// what never changes. A *place* is node n_obstacle + obstacle.
struct ObstacleContacts {
  std::vector<std::int32_t> surface;                    ///< per node; -1: it meets nothing
  std::vector<std::uint8_t> meets;                      ///< [surface][obstacle]
  std::vector<ContactRule> rule;                        ///< [surface][obstacle]
  std::vector<double> extent;                           ///< [surface][obstacle]: least of both [m]
  std::vector<NodeRange> body;                          ///< soft bodies, ascending
  std::vector<Shape> shape;                             ///< of the obstacles
  std::vector<std::shared_ptr<const void>> shape_data;  ///< what keeps their samples
  std::int32_t n_tet = 0;                               ///< tetrahedra of the model
  ContactTimes times;
  DetectionReach reach;
  /// Where soft surfaces can be near each other; null: nowhere.
  std::shared_ptr<const SoftSearches> soft_searches;
  std::vector<ContactRule> pair_rule;  ///< per search of these
  bool nodes_meet_one = false;         ///< no node can touch two obstacles
  bool is_isotropic = false;           ///< all friction is the same along both tangents

  int n_obstacle() const { return static_cast<int>(shape.size()); }
  std::int64_t n_place() const { return static_cast<std::int64_t>(surface.size() * shape.size()); }
};

/// A force between soft surfaces.
struct PairForce {
  SoftPair pair;  ///< but for where it is
  Vec3d force{};  ///< contact frame [N]
};

/// Poses of an obstacle in a step.
struct ObstacleMotion {
  Pose now, next;
};

/// The same in a step.
struct ObstacleStep {
  std::shared_ptr<const ObstacleContacts> contacts;  ///< null: contacts are as the problem says
  /// The environment takes no part in the step: it has no contacts, and the members below are
  /// unset.
  bool is_inactive = false;
  std::vector<ObstacleMotion> obstacle;  ///< [n_obstacle]
  /// Whether the forces that the solver made last for the environment are those to start from;
  /// otherwise `forces` are.
  bool starts_from_last = false;
  std::vector<std::pair<std::int32_t, Vec3d>> forces;  ///< by place, ascending [N]
  std::vector<PairForce> pair_forces;                  ///< in the order of contacts
};

/// Contacts that a solver made in an environment, and its answer.
struct MadeContacts {
  std::vector<NodeAtObstacle> near;  ///< ordered by (node, obstacle)
  std::vector<SoftPair> pair;        ///< as ProximitySearch orders them
  std::vector<Vec3d> lambda;         ///< of these, then those: contact force, contact frame [N]

  void clear() {
    near.clear();
    pair.clear();
    lambda.clear();
  }
};

}  // namespace nodia
