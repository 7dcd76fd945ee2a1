/// Data of soft-soft contacts in a step on the launcher's side: contents and layout.
#pragma once

#include "kernels/collision/paired_surfaces.hpp"
#include "kernels/contact/contact.hpp"
#include "kernels/contact/contact_terms.hpp"
#include "kernels/step/contact_node_coupling.hpp"
#include "kernels/vfpi/control_ends.hpp"

namespace nodia {

/// Side of a contact: a soft node, or a point between two or three nodes.
struct PairSide {
  std::int32_t n = 0;                   ///< number of nodes
  std::int32_t node[3] = {-1, -1, -1};  ///< ascending, relative to the environment's first node
  double weight[3] = {};                ///< > 0, sum 1 [-]

  NODIA_HD bool is_point() const { return n > 1; }
};

/// Number of nodes of both sides of a pair.
inline constexpr int kPairNodes = 4;

/// Soft-soft pair and its contact.
struct PairContact {
  std::int32_t slot = 0, search = 0;  ///< indices in PairTable
  std::int32_t edge = -1;             ///< edge of j; -1: vertex of i near a triangle of j
  SurfaceHit hit;                     ///< closest point, for a vertex
  /// Sides are rows of the loop; a point uses the row of its contact node. phi excludes the bias.
  Contact<double> contact;
  PairSide side[2];
  double gap_m = 0;
  Vec3d compliance{};   ///< compliance along the axes [m/(N s)]
  double gain[2] = {};  ///< kv of the sides that are points [N s/m]
  Vec3d lambda{};       ///< initial guess; after the step the solution [N]
  std::int32_t first_contact_node = 0,
               first_part = 0;  ///< side 0, then side 1; within the environment
};

/// Counts of an environment, which owns pairs [first, first + n) of the list.
struct PairCounts {
  std::int32_t first = 0, n = 0;
  std::int32_t n_contact_node = 0,
               n_part = 0;    ///< totals over its pairs: points, and nodes of points
  std::int32_t n_listed = 0;  ///< n if pairs and points fit, else 0; other kernels read this
  // Counts of the coupled rows: contact nodes, and nodes on which a pair acts.
  std::int32_t n_world_slot = 0;     ///< contacts with obstacles
  std::int32_t n_coupled_entry = 0;  ///< entries of VfpiEnvironment::coupled_entry

  /// Number of contact nodes in the loop.
  NODIA_HD std::int32_t n_used() const { return n_listed > 0 ? n_contact_node : 0; }
};

/// Capacities of an environment; all 0 if it has no pairs.
struct PairRoom {
  std::int32_t n_pair = 0;
  std::int32_t first_contact_node =
      0;  ///< into PairBatch::contact_node_side; n_contact_node counts rows
  std::int32_t n_contact_node = 0;
  std::int32_t n_coupled_slot = 0;  ///< pairs, and contacts of their nodes with obstacles
  std::int32_t n_coupled_entry = 0;
  std::int32_t in_phases = 0;  ///< 1: the loop runs in phases for any pairs

  bool operator==(const PairRoom&) const = default;
};

/// Contact force stored from the last step.
struct KeptPair {
  /// Slot of a vertex, or any slot of an edge of i. Relative to the environment's first slot,
  /// because absolute slots depend on which environments are inactive.
  std::int32_t slot = 0;
  std::int32_t edge = -1;
  Vec3d force{};  ///< contact frame [N]
};
struct KeptRange {
  std::int32_t first = 0, n = 0;
};

/// Report about an environment's pairs.
struct PairReport {
  std::int32_t n_pair = 0, n_contact_node = 0;
  std::int32_t n_contact_node_before = 0;  ///< in the last solve
  ControlStart start;                      ///< control at the start of the loop
};

/// Soft-soft pairs of several environments.
struct PairBatch {
  PairedSurfaces paired;
  int capacity = 0;                          ///< capacity of the list of pairs
  const std::int32_t* slot = nullptr;        ///< pairs: flagged slots of PairTable, ascending
  const std::int32_t* n_selected = nullptr;  ///< one: number of pairs; may exceed capacity
  const PairRoom* room = nullptr;            ///< [n_env]
  int n_contact_node = 0;                    ///< PairRoom::n_contact_node, maximum
  const ContactRule* rule = nullptr;         ///< [n_search]
  ContactNodeCoupling coupling;

  PairContact* pair = nullptr;                ///< [capacity]
  PairCounts* counts = nullptr;               ///< [n_env]
  std::int32_t* contact_node_side = nullptr;  ///< per contact node 2 pair + side, index in the list
  /// [kPairNodes capacity]: nodes of pairs by environment and row, as kPairNodes pair + position
  /// among the nodes of side 0, then 1; unused: ~0. key and item are scratch.
  std::uint64_t *key = nullptr, *sorted_key = nullptr;
  std::int32_t *item = nullptr, *sorted_item = nullptr;
  KeptPair* kept = nullptr;         ///< [>= capacity]: forces of the last step, slots ascending
  KeptRange* kept_range = nullptr;  ///< [n_env]
  double* depth = nullptr;          ///< [n_search]: depth of the deepest pair after the step [m]
  std::int32_t* n_contact_node_before = nullptr;  ///< [n_env]: in the last solve
  PairReport* report = nullptr;                   ///< [n_env]
  /// One value: 1 if all pairs fit, else 0. If they do not fit, the step is rejected.
  std::int32_t* fit = nullptr;

  bool operator==(const PairBatch&) const = default;
};

}  // namespace nodia
