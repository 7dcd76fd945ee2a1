#include <fmt/format.h>

#include "host/solvers/apgd.hpp"
#include "host/solvers/ccs.hpp"
#include "host/solvers/cond/cond.hpp"
#include "host/solvers/contact_solver.hpp"
#include "host/solvers/penalty.hpp"
#include "host/solvers/pgs.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"

namespace nodia {

const std::vector<SolverEntry>& solver_catalogue() {
  static const std::vector<SolverEntry> catalogue{
      {"cond", "contact nodalization and diagonalization (Lee et al. 2022)", &make_cond_solver},
      {"pgs", "projected Gauss-Seidel on the Delassus operator, double precision",
       &make_pgs_solver},
      {"apgd",
       "accelerated projected gradient descent on the Delassus operator, double precision (Mazhar "
       "et al. 2015)",
       &make_apgd_solver},
      {"ccs", "contact constraint splitting, ADMM with one factorisation (Daviet 2020)",
       &make_ccs_solver, ccs_parameters()},
      {"penalty",
       "spring and damper along the normal, regularised Coulomb friction (Yamane & Nakamura 2006)",
       &make_penalty_solver, penalty_parameters()},
  };
  return catalogue;
}

std::unique_ptr<ContactSolver> make_solver(const SolverOptions& options) {
  options.validate();
  std::vector<std::string> names;
  for (const SolverEntry& entry : solver_catalogue()) {
    if (options.solver == entry.name) return entry.make(options);
    names.emplace_back(entry.name);
  }
  throw_bad_value("solver", options.solver, fmt::format("one of {}", fmt::join(names, ", ")),
                  fmt::format("did you mean {}?", nearest_name(options.solver, names)));
}

}  // namespace nodia
