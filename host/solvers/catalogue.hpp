/// The catalogue of solvers, a visible table.
#pragma once

#include <memory>
#include <vector>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Where the keys of a solver's own options stand in a scenario: `solver.name.key` or `solver.key`.
enum class KeysStand { in_own_group, among_all };

struct SolverEntry {
  const char* name;
  const char* description;
  std::unique_ptr<ContactSolver> (*make)(const SolverOptions&);
  void (*visit)(KeyVisitor&, SolverOptions&) = nullptr;  ///< the keys of its own options; or none
  KeysStand keys = KeysStand::in_own_group;
};

/// SolverEntry::visit of a solver whose own options are this struct.
template <class Own>
void own_keys(KeyVisitor& v, SolverOptions& o) {
  visit_keys(v, o.of<Own>());
}

const std::vector<SolverEntry>& solver_catalogue();

/// A solver by its name in the catalogue. @throws InputError naming the nearest known name, or a
/// bad option
std::unique_ptr<ContactSolver> make_solver(const SolverOptions& options);

}  // namespace nodia
