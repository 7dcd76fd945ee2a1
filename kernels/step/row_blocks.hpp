/// Gathers rows of A and b of soft nodes in double from the output of EvaluateTets. The values
/// equal those of AssembleRows and AssemblePlanes; used where A is stored in another format.
#pragma once

#include "kernels/step/assemble_row.hpp"
#include "kernels/step/soft_rows.hpp"

namespace nodia {

/// Loads on node i; zero if there are none.
template <class Memory>
NODIA_HD SoftLoad load_of(const SoftRows& soft, int i, Memory memory) {
  return soft.load ? memory.read(soft.load + i) : SoftLoad{};
}

NODIA_HD RowFactors row_factors(const SoftRows& soft, const SoftLoad& load, int i) {
  RowFactors factors = row_factors(soft.model, soft.step, i);
  factors.diagonal += load.diagonal;
  return factors;
}

/// b_i [N]. @param elastic  force on node i, from for_row_blocks [N]
template <class Memory>
NODIA_HD Vec3d row_right_hand_side(const SoftRows& soft, const SoftLoad& load, int i, Vec3d elastic,
                                   Memory memory) {
  const Vec3d v = memory.template load_unpadded_node<double>(soft.v, i);
  return right_hand_side(soft.step, soft.model.mass[i], elastic, load.external, soft.gravity, v) +
         load.external_force;
}
/// b_i [N], for callers that do not need the blocks of the row.
template <class Memory>
NODIA_HD Vec3d row_right_hand_side(const SoftRows& soft, int i, Memory memory) {
  return row_right_hand_side(soft, load_of(soft, i, memory), i,
                             gather_force(soft.model, soft.corner, i, memory), memory);
}

/// A_ii [kg/s].
template <class Memory>
NODIA_HD Mat3d row_diagonal_block(const SoftRows& soft, int i, Memory memory) {
  Vec3d force;
  return assemble_diagonal_block(soft.model, row_factors(soft, load_of(soft, i, memory), i),
                                 soft.corner, i, &force, memory);
}

/// A_ij of nodes i < j [kg/s]; zero if the pattern does not couple them.
template <class Memory>
NODIA_HD Mat3d row_coupling_block(const SoftRows& soft, int i, int j, Memory memory) {
  const AssemblyView& model = soft.model;
  for (std::int32_t k = model.diagonal[i] + 1; k < model.row_begin[i + 1]; ++k)
    if (model.column[k] == j)
      return assemble_coupling_block(model, row_factors(model, soft.step, i), soft.corner, k, false,
                                     memory);
  return {};
}

/// Calls visit(column, block) for every block of row i of A [kg/s], columns ascending.
/// @return  elastic force on node i [N]
template <class Visit, class Memory>
NODIA_HD Vec3d for_row_blocks(const SoftRows& soft, const SoftLoad& load, int i, const Visit& visit,
                              Memory memory) {
  const AssemblyView& model = soft.model;
  const RowFactors factors = row_factors(soft, load, i);
  const std::int32_t diagonal = model.diagonal[i];
  Vec3d force{};
  for (std::int32_t k = model.row_begin[i]; k < model.row_begin[i + 1]; ++k) {
    if (k == diagonal) {
      visit(i, assemble_diagonal_block(model, factors, soft.corner, i, &force, memory));
    } else {
      const bool mirrored = k < diagonal;
      visit(model.column[k],
            assemble_coupling_block(model, factors, soft.corner, mirrored ? model.mirror[k] : k,
                                    mirrored, memory));
    }
  }
  return force;
}
template <class Visit, class Memory>
NODIA_HD Vec3d for_row_blocks(const SoftRows& soft, int i, const Visit& visit, Memory memory) {
  return for_row_blocks(soft, load_of(soft, i, memory), i, visit, memory);
}

}  // namespace nodia
