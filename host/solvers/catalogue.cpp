#include <fmt/format.h>

#include "host/solvers/apgd.hpp"
#include "host/solvers/best.hpp"
#include "host/solvers/cond/cond.hpp"
#include "host/solvers/contact_solver.hpp"
#include "host/solvers/fischer_solver.hpp"
#include "host/solvers/lemke_solver.hpp"
#include "host/solvers/pgs.hpp"
#include "host/solvers/prox.hpp"
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
      {"prox", "prox fixed-point iteration on the Delassus operator (Schindler et al. 2011)",
       &make_prox_solver, prox_parameters()},
      {"lemke", "Lemke's pivoting, polygons in place of friction cones", &make_lemke_solver,
       lemke_parameters()},
      {"fischer",
       "Levenberg-Marquardt Newton on the Fischer function (Sun), polygons in place of friction "
       "cones",
       &make_fischer_solver, fischer_parameters()},
      {"best", "several solvers; takes the answer of least energy error (Enzenhoefer et al.)",
       &make_best_solver, best_parameters()},
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
