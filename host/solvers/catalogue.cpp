#include <fmt/format.h>

#include <algorithm>

#include "host/solvers/apgd.hpp"
#include "host/solvers/best.hpp"
#include "host/solvers/ccs.hpp"
#include "host/solvers/cond/cond.hpp"
#include "host/solvers/cond/reference.hpp"
#include "host/solvers/contact_solver.hpp"
#include "host/solvers/fischer_solver.hpp"
#include "host/solvers/lemke_solver.hpp"
#include "host/solvers/penalty.hpp"
#include "host/solvers/pgs.hpp"
#include "host/solvers/position_based.hpp"
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
      {"ccs", "contact constraint splitting, ADMM with one factorisation (Daviet 2020)",
       &make_ccs_solver, ccs_parameters()},
      {"penalty",
       "spring and damper along the normal, regularised Coulomb friction (Yamane & Nakamura 2006)",
       &make_penalty_solver, penalty_parameters()},
      {"xpbd",
       "extended position-based dynamics with small steps (Macklin et al. 2016, 2019): advances "
       "whole scenes without robots and restitution",
       &make_position_based_solver, position_based_parameters()},
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
      {"cond_reference",
       "the same method in plain text, without its safeguards: to be read, and to hold cond "
       "against",
       &make_cond_reference_solver},
  };
  return catalogue;
}

bool advances_scenes(const std::string& solver) {
  const std::vector<SolverEntry>& all = solver_catalogue();
  return std::any_of(all.begin(), all.end(), [&](const SolverEntry& entry) {
    return entry.make == &make_position_based_solver && solver == entry.name;
  });
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
