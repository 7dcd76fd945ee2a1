/// What an assembly into the planes of the loop takes from the host in every step.
#pragma once

#include <vector>

#include "host/solvers/cond/row_layout.hpp"
#include "kernels/vfpi/soft_rows.hpp"

namespace nodia {

struct SoftInput {
  std::vector<std::int32_t> first_node;  ///< [n_env + 1] of the soft nodes in x and v
  std::vector<Vec3d> x, v;               ///< of soft nodes, environment by environment
  std::vector<PlacedLoad> loads;
  std::vector<SentRow> sent;
  std::vector<double> value;  ///< of the blocks of the sent rows
};

/// Nodes of an environment's source.
int soft_node_count(const SoftSource& source);

/// @param problem  with its sources
/// @param rows     its layout
void gather(const ContactProblem& problem, const RowLayout& rows, SoftInput* input);

}  // namespace nodia
