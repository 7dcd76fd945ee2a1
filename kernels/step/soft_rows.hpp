/// Data from which the soft rows of an environment are assembled directly in the columns of the
/// loop: plain structs in the launcher's memory.
#pragma once

#include "kernels/elements/attachment.hpp"
#include "kernels/step/assemble_row.hpp"

namespace nodia {

/// Loads on a node in addition to elasticity, inertia and gravity.
struct SoftLoad {
  double diagonal = 0;                 ///< from attachments, on the diagonal of A [kg/s]
  Vec3d external{}, external_force{};  ///< added to b [N]
};
/// External force on one node.
struct PlacedExternalForce {
  std::int32_t env = 0, node = 0;
  Vec3d external_force{};  ///< [N]
};

struct SoftRows {
  AssemblyView model;  ///< pattern of the environment's part of A; no nodes: no soft rows
  TimeStep step;
  Vec3d gravity{};                     ///< [m/s^2]
  std::int32_t n_row = 0;              ///< size of `node`: rows of A in whole chunks
  const std::int32_t* node = nullptr;  ///< row of A per row, a node if < model.n_node; -1: none
  double* x = nullptr;                 ///< positions, three numbers per node [m]
  double* v = nullptr;                 ///< velocities, three numbers per node [m/s]
  double* padded_x = nullptr;          ///< positions as padded nodes
  double* corner = nullptr;            ///< kSliceScalars per slice of tetrahedra
  SoftLoad* load = nullptr;            ///< per node; null without loads
  SoftAttachments attachments;

  bool operator==(const SoftRows& o) const {
    return model == o.model && step.step_s == o.step.step_s && step.theta == o.step.theta &&
           gravity.x == o.gravity.x && gravity.y == o.gravity.y && gravity.z == o.gravity.z &&
           n_row == o.n_row && node == o.node && x == o.x && v == o.v && padded_x == o.padded_x &&
           corner == o.corner && load == o.load && attachments == o.attachments;
  }
};

/// Row of A and b that the host made.
struct SentRow {
  std::int32_t env = 0, row = 0;  ///< row of the loop
  std::int32_t first_block = 0;   ///< first block of A's row, within the environment
  std::int32_t first_value = 0;   ///< index of its first block among the sent blocks
  Vec3d b{};                      ///< [N]
};

}  // namespace nodia
