/// What the contacts of soft nodes with obstacles are made of in a step, where that is done on the
/// launcher's side: plain data, pointers into its memory.
#pragma once

#include "kernels/collision/detect_nodes.hpp"
#include "kernels/contact/contact_terms.hpp"
#include "kernels/core/node_range.hpp"
#include "kernels/step/free_velocity.hpp"
#include "kernels/step/pair_contacts.hpp"
#include "kernels/step/soft_depths.hpp"
#include "kernels/step/soft_end.hpp"
#include "kernels/step/soft_judgement.hpp"
#include "kernels/step/soft_rows.hpp"
#include "kernels/vfpi/environment.hpp"

namespace nodia {

/// Length of SoftContacts::body_sum: of every body a number for each kBlockLanes of its nodes.
NODIA_HD int body_chunk_count(int n_node, int n_body) {
  return n_node / kBlockLanes + n_body;
}

/// Of one environment all of whose rows are soft nodes; beside its SoftRows. A *place* is node
/// n_obstacle + obstacle, as in DetectionView. One that rests has no nodes in `near`.
struct SoftContacts {
  DetectionView near;                     ///< x and v are those of SoftRows, v_free is `v_free`
  const std::int32_t* row = nullptr;      ///< per node its row of the loop
  std::int32_t n_body = 0;                ///< soft bodies
  const NodeRange* body = nullptr;        ///< [n_body]: of the soft bodies, ascending, without gaps
  const std::int32_t* surface = nullptr;  ///< per node its place in `rule`; -1: it meets nothing
  const std::uint8_t* meets = nullptr;    ///< [surface][obstacle]: 1 where they can touch
  const ContactRule* rule = nullptr;      ///< [surface][obstacle]
  const double* extent = nullptr;         ///< [surface][obstacle]: least of both [m]
  ContactTimes times;

  double* own_share = nullptr;         ///< scratch of free motion, three numbers a node [m/s]
  TranslationSum* body_sum = nullptr;  ///< scratch of free motion [body_chunk_count()]
  double* v_free = nullptr;            ///< FreeMotion, three numbers a node [m/s]
  double* elastic_sum = nullptr;       ///< scratch of energies [item_count(n_tet)] [J]
  /// Forces of the last step, and of this one once they are kept; of places that are not near
  /// zero. Three numbers a place, contact frame [N].
  double* kept = nullptr;
  std::int32_t* slot = nullptr;  ///< per place its contact's slot of the loop; -1: it has none

  /// Slots behind those of single contacts, a multiple of kSliceRows: VfpiEnvironment::n_slot is
  /// first_virtual_row + rare_capacity, and `rare` has room for rare_capacity/2 rows.
  std::int32_t rare_capacity = 0;
  /// One: slots that the contacts of rows with several ask for. More than rare_capacity: there was
  /// no room for some, and the loop has not got them.
  std::int32_t* n_rare = nullptr;

  SoftDepth* chunk_depth = nullptr;  ///< scratch of depths [body_chunk_count() n_obstacle]
  SoftDepth* depth = nullptr;        ///< at the end of the step [body][obstacle]

  bool operator==(const SoftContacts&) const = default;
};

/// Attachments of environments side by side, at the end of a step.
struct HoldBatch {
  int n_attachment = 0;  ///< of the environment with the most
  int n_chunk = 1;       ///< item_count() of the nodes of the largest attachment
  // Attachment by attachment, as SoftHolds::first counts them.
  const std::uint8_t* is_holding = nullptr;  ///< HoldTargets::is_holding
  /// Of those that hold, at the end of the step in the slot that end_slot says, at its start in the
  /// other.
  HoldFrames frames[2];
  const std::int32_t* end_slot = nullptr;
  HoldSums* chunk_sum = nullptr;  ///< scratch [attachment][n_chunk]
  HoldSums* sum = nullptr;        ///< at the end of the step

  bool operator==(const HoldBatch&) const = default;
};

/// Environments side by side.
template <class Precision>
struct SoftStepBatch {
  int n_env = 0;
  int n_node = 0, n_obstacle = 0, n_body = 0;  ///< of the largest environment
  int n_tet = 0;                               ///< likewise
  int n_chunk = 0, n_slot = 0;                 ///< of the loop, likewise
  const SoftRows* soft = nullptr;              ///< [n_env]
  const SoftContacts* contacts = nullptr;      ///< [n_env]
  VfpiEnvironment<Precision>* env = nullptr;   ///< [n_env]
  Projection projection = Projection::strict;
  double omega = 0;                    ///< of invertible contact [m/(N s)]
  SoftJudgement* judgement = nullptr;  ///< [n_env]
  SoftEnd* end = nullptr;              ///< [n_env]
  HoldBatch holds;
  PairBatch pairs;  ///< of soft surfaces
  /// One: whether the step can be taken, 0 or 1: all contacts have got slots, and pairs fit. Null
  /// where that cannot be otherwise.
  std::int32_t* can_be_taken = nullptr;

  bool operator==(const SoftStepBatch&) const = default;
};

}  // namespace nodia
