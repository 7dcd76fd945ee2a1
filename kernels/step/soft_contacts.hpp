/// Data from which the launcher's side makes the contacts of soft nodes with obstacles: plain
/// structs with pointers into its memory. The launch functions of this folder take a launcher with
/// launch(name, kernel, n_item), which runs kernels in order.
#pragma once

#include "kernels/collision/detect_nodes.hpp"
#include "kernels/contact/contact_terms.hpp"
#include "kernels/core/node_range.hpp"
#include "kernels/step/free_velocity.hpp"
#include "kernels/step/pair_contacts.hpp"
#include "kernels/step/soft_depths.hpp"
#include "kernels/step/soft_end.hpp"
#include "kernels/step/soft_evaluation.hpp"
#include "kernels/step/soft_rows.hpp"
#include "kernels/vfpi/environment.hpp"

namespace nodia {

/// Length of SoftContacts::body_sum: one entry per body and chunk of kBlockLanes nodes.
NODIA_HD int body_chunk_count(int n_node, int n_body) {
  return n_node / kBlockLanes + n_body;
}

/// Data of an environment with soft nodes only, beside its SoftRows. Candidate pair (node, k) has
/// index node n_obstacle + k, as in DetectionView. `near` has no nodes if it is inactive.
struct SoftContacts {
  DetectionView near;                         ///< x and v are those of SoftRows, v_free is `v_free`
  const std::int32_t* row = nullptr;          ///< per node its row of the loop
  std::int32_t n_body = 0;                    ///< number of soft bodies
  const NodeRange* body = nullptr;            ///< [n_body]: their nodes, ascending, no gaps
  const std::int32_t* surface = nullptr;      ///< per node its row of `rule`; -1: no contacts
  const std::uint8_t* may_collide = nullptr;  ///< [surface][obstacle]: 1 if they may collide
  const ContactRule* rule = nullptr;          ///< [surface][obstacle]
  const double* extent = nullptr;             ///< [surface][obstacle]: the smaller extent [m]
  ContactTimes times;

  double* own_share = nullptr;         ///< scratch of free motion, three numbers per node [m/s]
  TranslationSum* body_sum = nullptr;  ///< scratch of free motion [body_chunk_count()]
  double* v_free = nullptr;            ///< result of FreeMotion, three numbers per node [m/s]
  double* elastic_sum = nullptr;       ///< scratch of energies [item_count(n_tet)] [J]
  /// Contact forces of the last step, then of this one; zero for pairs outside the contact margin.
  /// Three numbers per candidate pair, contact frame [N].
  double* kept = nullptr;
  std::int32_t* slot = nullptr;  ///< per candidate pair its contact index in the loop; -1: none

  /// Capacity behind the single contacts, a multiple of kSliceRows: VfpiEnvironment::n_slot is
  /// first_contact_node_row + multi_contact_capacity, and `multi_contact` has capacity
  /// multi_contact_capacity/2.
  std::int32_t multi_contact_capacity = 0;
  /// One value: capacity that rows with several contacts need. If it exceeds
  /// multi_contact_capacity, the loop lacks some of their contacts.
  std::int32_t* n_multi_contact = nullptr;

  SoftDepth* chunk_depth = nullptr;  ///< scratch of depths [body_chunk_count() n_obstacle]
  SoftDepth* depth = nullptr;        ///< at the end of the step [body][obstacle]

  bool operator==(const SoftContacts&) const = default;
};

/// Attachments of several environments at the end of a step.
struct AttachmentBatch {
  int n_attachment = 0;  ///< maximum over the environments
  int n_chunk = 1;       ///< item_count() of the nodes of the largest attachment
  // The arrays list attachment by attachment, numbered by SoftAttachments::first.
  const std::uint8_t* is_attached = nullptr;  ///< AttachmentTargets::is_attached
  /// Frames of active attachments: element end_slot at the end of the step, the other at its start.
  AttachmentFrames frames[2];
  const std::int32_t* end_slot = nullptr;
  AttachmentSums* chunk_sum = nullptr;  ///< scratch [attachment][n_chunk]
  AttachmentSums* sum = nullptr;        ///< at the end of the step

  bool operator==(const AttachmentBatch&) const = default;
};

/// Step of several environments.
template <class Precision>
struct SoftStepBatch {
  int n_env = 0;
  int n_node = 0, n_obstacle = 0, n_body = 0;  ///< maxima over the environments
  int n_tet = 0;                               ///< maximum over the environments
  int n_chunk = 0, n_slot = 0;                 ///< of the loop, maxima over the environments
  const SoftRows* soft = nullptr;              ///< [n_env]
  const SoftContacts* contacts = nullptr;      ///< [n_env]
  VfpiEnvironment<Precision>* env = nullptr;   ///< [n_env]
  Projection projection = Projection::strict;
  double omega = 0;                      ///< omega of invertible contact [m/(N s)]
  SoftEvaluation* evaluation = nullptr;  ///< [n_env]
  SoftEnd* end = nullptr;                ///< [n_env]
  AttachmentBatch attachments;
  PairBatch pairs;  ///< soft-soft pairs
  /// One value: 1 if all contacts and pairs fit and the step is accepted, else 0; null: always 1.
  std::int32_t* can_be_taken = nullptr;

  bool operator==(const SoftStepBatch&) const = default;
};

}  // namespace nodia
