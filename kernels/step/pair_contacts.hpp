/// Contacts of soft surfaces with soft surfaces in a step that is made where the loop runs: what
/// kernels know of them, and where it lies.
#pragma once

#include "kernels/collision/meeting_surfaces.hpp"
#include "kernels/contact/contact.hpp"
#include "kernels/contact/contact_terms.hpp"
#include "kernels/step/contact_node_coupling.hpp"
#include "kernels/vfpi/control_ends.hpp"

namespace nodia {

/// What a contact acts on: a soft node, or a point between two or three.
struct PairSide {
  std::int32_t n = 0;                   ///< nodes
  std::int32_t node[3] = {-1, -1, -1};  ///< ascending, counted from the environment's first
  double weight[3] = {};                ///< > 0, sum 1 [-]

  NODIA_HD bool is_point() const { return n > 1; }
};

/// Nodes of both sides of a pair.
inline constexpr int kPairNodes = 4;

/// A pair and the contact that it makes.
struct PairContact {
  std::int32_t slot = 0, search = 0;  ///< of PairTable
  std::int32_t edge = -1;             ///< of j; -1: a vertex of i is near a triangle of j
  SurfaceHit hit;                     ///< of a vertex
  /// Sides are rows of the loop; of a point, its virtual node's. phi is without bias.
  Contact<double> contact;
  PairSide side[2];
  double gap_m = 0;
  Vec3d compliance{};   ///< of its axes [m/(N s)]
  double gain[2] = {};  ///< kv of sides that are points [N s/m]
  Vec3d lambda{};       ///< that it starts from; once it is kept, of the answer [N]
  std::int32_t first_virtual = 0, first_part = 0;  ///< of side 0, then side 1; of its environment
};

/// Of an environment: pairs [first, first + n) of the list are its.
struct PairCounts {
  std::int32_t first = 0, n = 0;
  std::int32_t n_virtual = 0, n_part = 0;  ///< of all its pairs: points, and nodes of points
  std::int32_t n_listed = 0;  ///< n where pairs and points have room, else 0: what others look at
  // Of its coupled rows, which are those that a pair acts on as nodes, and virtual nodes.
  std::int32_t n_world_slot = 0;     ///< contacts at obstacles
  std::int32_t n_coupled_entry = 0;  ///< of VfpiEnvironment::coupled_entry

  /// Virtual nodes that the loop has.
  NODIA_HD std::int32_t n_used() const { return n_listed > 0 ? n_virtual : 0; }
};

/// What there is room for in an environment; all 0: it has no pairs.
struct PairRoom {
  std::int32_t n_pair = 0;
  std::int32_t first_virtual = 0;  ///< of PairBatch::virtual_side; n_virtual is room for rows
  std::int32_t n_virtual = 0;
  std::int32_t n_coupled_slot = 0;  ///< pairs, and contacts at obstacles of nodes in pairs
  std::int32_t n_coupled_entry = 0;
  std::int32_t in_phases = 0;  ///< 1: it iterates in phases whatever pairs it has

  bool operator==(const PairRoom&) const = default;
};

/// A force that was kept of the last step.
struct KeptPair {
  /// Of a vertex, or any of an edge of i; counted from the first of its environment, whose number
  /// depends on which others rest.
  std::int32_t slot = 0;
  std::int32_t edge = -1;
  Vec3d force{};  ///< contact frame [N]
};
struct KeptRange {
  std::int32_t first = 0, n = 0;
};

/// What the host is told of an environment's pairs.
struct PairsTold {
  std::int32_t n_pair = 0, n_virtual = 0;
  std::int32_t n_virtual_before = 0;  ///< of the last solve
  ControlStart start;                 ///< that the loop began with
};

/// Environments side by side.
struct PairBatch {
  MeetingSurfaces meeting;
  int capacity = 0;                          ///< of the list of pairs; 0: there is room for none
  const std::int32_t* slot = nullptr;        ///< flagged slots of PairTable, ascending: the pairs
  const std::int32_t* n_selected = nullptr;  ///< one: their number, which may exceed the capacity
  const PairRoom* room = nullptr;            ///< [n_env]
  int n_virtual = 0;                         ///< PairRoom::n_virtual of the largest environment
  const ContactRule* rule = nullptr;         ///< [n_search]
  ContactNodeCoupling coupling;

  PairContact* pair = nullptr;           ///< [capacity]
  PairCounts* counts = nullptr;          ///< [n_env]
  std::int32_t* virtual_side = nullptr;  ///< per virtual node 2 pair + side, pair of the list
  /// [kPairNodes capacity]: nodes of pairs by environment and row, kPairNodes pair + place among
  /// the nodes of side 0, then side 1; behind them ~0. Unsorted ones are scratch.
  std::uint64_t *key = nullptr, *sorted_key = nullptr;
  std::int32_t *item = nullptr, *sorted_item = nullptr;
  KeptPair* kept = nullptr;         ///< [capacity] at least: of the last step, slots ascending
  KeptRange* kept_range = nullptr;  ///< [n_env]
  double* depth =
      nullptr;  ///< [n_search]: of the deepest pair, by the gap that the answer carries on [m]
  std::int32_t* n_virtual_before = nullptr;  ///< [n_env]: of the last solve
  PairsTold* told = nullptr;                 ///< [n_env]
  /// One: whether all pairs have room, 0 or 1. Where they have not the step is not taken.
  std::int32_t* fit = nullptr;

  bool operator==(const PairBatch&) const = default;
};

}  // namespace nodia
