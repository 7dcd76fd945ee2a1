#include "host/solvers/catalogue.hpp"

#include <algorithm>

#include "host/solvers/best/best.hpp"
#include "host/solvers/ccs/ccs.hpp"
#include "host/solvers/complementarity/fischer_solver.hpp"
#include "host/solvers/complementarity/lemke_solver.hpp"
#include "host/solvers/complementarity/prox_solver.hpp"
#include "host/solvers/cond/cond.hpp"
#include "host/solvers/cond/options.hpp"
#include "host/solvers/cond/reference.hpp"
#include "host/solvers/delassus/apgd.hpp"
#include "host/solvers/delassus/pgs.hpp"
#include "host/solvers/penalty/penalty.hpp"
#include "host/solvers/position_based/position_based.hpp"

namespace nodia {

const std::vector<SolverEntry>& solver_catalogue() {
  static const std::vector<SolverEntry> catalogue{
      {"cond", "contact nodalization and diagonalization (Lee et al. 2022)", &make_cond_solver,
       &own_keys<CondOptions>, KeysStand::among_all},
      {"pgs", "projected Gauss-Seidel on the Delassus operator, double precision",
       &make_pgs_solver},
      {"apgd",
       "accelerated projected gradient descent on the Delassus operator, double precision (Mazhar "
       "et al. 2015)",
       &make_apgd_solver},
      {"ccs", "contact constraint splitting, ADMM with one factorisation (Daviet 2020)",
       &make_ccs_solver, &own_keys<CcsOptions>},
      {"penalty",
       "spring and damper along the normal, regularised Coulomb friction (Yamane & Nakamura 2006)",
       &make_penalty_solver, &own_keys<PenaltyOptions>},
      {"xpbd",
       "extended position-based dynamics with small steps (Macklin et al. 2016, 2019): advances "
       "whole scenes without robots and restitution",
       &make_position_based_solver, &own_keys<PositionBasedOptions>},
      {"prox", "prox fixed-point iteration on the Delassus operator (Schindler et al. 2011)",
       &make_prox_solver, &own_keys<ProxSolverOptions>},
      {"lemke", "Lemke's pivoting, polygons in place of friction cones", &make_lemke_solver,
       &own_keys<LemkeSolverOptions>},
      {"fischer",
       "Levenberg-Marquardt Newton on the Fischer function (Sun), polygons in place of friction "
       "cones",
       &make_fischer_solver, &own_keys<FischerSolverOptions>},
      {"best", "several solvers; takes the answer of least energy error (Enzenhoefer et al.)",
       &make_best_solver, &own_keys<BestOptions>},
      {"cond_reference",
       "the same method as cond in plain text, without its safeguards: to be read, and to hold "
       "cond against",
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
  throw_unknown_word("solver", options.solver, names);
}

}  // namespace nodia
