/// What the soft rows of an environment of the loop are assembled from, where that is done into the
/// loop's planes: plain data, in the launcher's memory.
#pragma once

#include "kernels/elements/hold.hpp"
#include "kernels/step/assemble_row.hpp"

namespace nodia {

/// What acts on a node beside elasticity, inertia and gravity.
struct SoftLoad {
  double diagonal = 0;       ///< of attachments, on A's diagonal [kg/s]
  Vec3d external{}, push{};  ///< in b [N]
};
/// Of one node.
struct PlacedPush {
  std::int32_t env = 0, node = 0;
  Vec3d push{};  ///< [N]
};

struct SoftRows {
  AssemblyView model;  ///< over the pattern of the environment's part of A; no nodes: no soft rows
  TimeStep step;
  Vec3d gravity{};         ///< [m/s^2]
  std::int32_t n_row = 0;  ///< of `node`: rows of A in whole chunks
  const std::int32_t* node =
      nullptr;                 ///< per row its row in A, below model.n_node a node; -1: none
  double* x = nullptr;         ///< positions, three numbers a node [m]
  double* v = nullptr;         ///< velocities likewise [m/s]
  double* padded_x = nullptr;  ///< positions as nodes
  double* corner = nullptr;    ///< kSliceScalars per slice of tetrahedra
  SoftLoad* load = nullptr;    ///< per node; null: there are none
  SoftHolds holds;

  bool operator==(const SoftRows& o) const {
    return model == o.model && step.step_s == o.step.step_s && step.theta == o.step.theta &&
           gravity.x == o.gravity.x && gravity.y == o.gravity.y && gravity.z == o.gravity.z &&
           n_row == o.n_row && node == o.node && x == o.x && v == o.v && padded_x == o.padded_x &&
           corner == o.corner && load == o.load && holds == o.holds;
  }
};

/// A row of A and b that the host made.
struct SentRow {
  std::int32_t env = 0, row = 0;  ///< of the loop
  std::int32_t first_block = 0;   ///< of A's row, counted from the environment's first
  std::int32_t first_value = 0;   ///< where its blocks begin among those that were sent
  Vec3d b{};                      ///< [N]
};

}  // namespace nodia
