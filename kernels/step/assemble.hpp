/// Launch sequence of an assembly, the same for every launcher.
#pragma once

#include "kernels/step/assemble_row.hpp"
#include "kernels/step/evaluate_tet.hpp"

namespace nodia {

/// @param launcher  launch(name, kernel, n_item) runs a kernel; launches run in order
/// @param tets      EvaluateTets or EvaluateTurnedTets
template <class Launcher, class Tets>
void launch_assembly(Launcher&& launcher, const Tets& tets, const AssembleRows& rows) {
  launcher.launch("evaluate_tets", tets, item_count(tets.model.n_tet));
  launcher.launch("assemble_rows", rows, item_count(rows.model.n_node));
}

/// Launches the kernels that compute the elastic forces only.
template <class Launcher>
void launch_forces(Launcher&& launcher, const EvaluateTets& tets, const GatherForces& forces) {
  launcher.launch("evaluate_tets", tets, item_count(tets.model.n_tet));
  launcher.launch("gather_forces", forces, item_count(forces.model.n_node));
}

}  // namespace nodia
