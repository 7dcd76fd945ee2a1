#include "host/solvers/catalogue.hpp"

#include <algorithm>

#include "host/solvers/automatic/automatic.hpp"
#include "host/solvers/best/best.hpp"
#include "host/solvers/ccs/ccs.hpp"
#include "host/solvers/complementarity/fischer_solver.hpp"
#include "host/solvers/complementarity/lemke_solver.hpp"
#include "host/solvers/complementarity/prox_solver.hpp"
#include "host/solvers/cond/cond.hpp"
#include "host/solvers/cond/cond_batch.hpp"
#include "host/solvers/cond/options.hpp"
#include "host/solvers/cond/reference/cond_reference.hpp"
#include "host/solvers/delassus/apgd.hpp"
#include "host/solvers/delassus/pgs.hpp"
#include "host/solvers/linear/product_blocking.hpp"
#include "host/solvers/newton/newton.hpp"
#include "host/solvers/newton/reference/newton_reference.hpp"
#include "host/solvers/penalty/penalty.hpp"
#include "host/solvers/position_based/options.hpp"
#include "host/solvers/proximal_newton/proximal_newton_solver.hpp"

namespace nodia {

const std::vector<SolverEntry>& solver_catalogue() {
  static const std::vector<SolverEntry> catalogue{
      {"cond", "contact nodalization and diagonalization (Lee et al. 2022)", &make_cond_solver,
       &visit_cond_keys, KeysStand::among_all},
      {"newton",
       "semismooth Newton on an augmented Lagrangian with projected smoothing; multigrid for soft "
       "bodies, elimination for cables, sparse Cholesky",
       &make_newton_solver, &own_keys<NewtonOptions>, KeysStand::in_own_group, StopRule::energy},
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
      {"prox", "prox fixed-point iteration on the Delassus operator (Schindler et al. 2011)",
       &make_prox_solver, &own_keys<ProxSolverOptions>},
      {"proximal_newton",
       "proximal points by semismooth Newton steps on the Delassus operator, from sweeps of block "
       "Gauss-Seidel (Acary et al. 2018)",
       &make_proximal_newton_solver},
      {"lemke", "Lemke's pivoting, polygons in place of friction cones", &make_lemke_solver,
       &own_keys<LemkeSolverOptions>},
      {"fischer",
       "Levenberg-Marquardt Newton on the Fischer function (Sun), polygons in place of friction "
       "cones",
       &make_fischer_solver, &own_keys<FischerSolverOptions>},
      {kBestName, "several solvers; takes the answer of least energy error (Enzenhoefer et al.)",
       &make_best_solver, &own_keys<BestOptions>},
      {kAutomaticName, "newton; cond for soft bodies whose rows have no known places",
       &make_automatic_solver, nullptr, KeysStand::in_own_group, StopRule::automatic},
      {"cond_reference",
       "the same method as cond in plain text, without its safeguards: to be read, and to hold "
       "cond against",
       &make_cond_reference_solver},
      {"newton_reference",
       "the same method as newton in plain text, dense: to be read, and to hold newton against",
       &make_newton_reference_solver, nullptr, KeysStand::in_own_group, StopRule::energy},
  };
  return catalogue;
}

const std::vector<StepperEntry>& stepper_catalogue() {
  static const std::vector<StepperEntry> catalogue{
      {kPositionBasedName,
       "extended position-based dynamics with small steps (Macklin et al. 2016, 2019): advances "
       "whole scenes without robots and restitution",
       &own_keys<PositionBasedOptions>},
  };
  return catalogue;
}

bool is_stepper(const std::string& name) {
  const std::vector<StepperEntry>& all = stepper_catalogue();
  return std::any_of(all.begin(), all.end(),
                     [&](const StepperEntry& entry) { return name == entry.name; });
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solver_catalogue()) names.emplace_back(entry.name);
  for (const StepperEntry& entry : stepper_catalogue()) names.emplace_back(entry.name);
  return names;
}

StopRule own_rule_of(const std::string& name) {
  for (const SolverEntry& entry : solver_catalogue())
    if (name == entry.name) return entry.own_rule;
  return StopRule::residual;
}

StopRule stop_rule_of(const SolverOptions& options) {
  const StopRule own = own_rule_of(options.solver);
  if (options.stop == StopRule::automatic || options.stop == own) return own;
  if (own == StopRule::automatic)
    throw_bad_value("solver.stop", name_of(options.stop), "auto",
                    "each environment's solver stops by its own rule");
  if (own == StopRule::energy)
    throw_bad_value("solver.stop", name_of(options.stop), "auto or energy",
                    options.solver + " stops by its estimate of the error");
  if (options.stop == StopRule::energy)
    throw_bad_value("solver.stop", name_of(options.stop), "auto, residual or paper",
                    options.solver + " makes no estimate of its error, newton does");
  return options.stop;
}

double tolerance_of(const SolverOptions& options) {
  if (options.tolerance != kOwnTolerance) return options.tolerance;
  switch (stop_rule_of(options)) {
    case StopRule::automatic:
      return kOwnTolerance;
    case StopRule::energy:
      return kEnergyTolerance;
    default:
      return kResidualTolerance;
  }
}

namespace {

/// Valid options with the stopping rule and the tolerance of their method.
SolverOptions resolved(const SolverOptions& options) {
  options.validate();
  fix_product_blocking();
  SolverOptions own = options;
  own.stop = stop_rule_of(options);
  own.tolerance = tolerance_of(options);
  return own;
}

}  // namespace

std::unique_ptr<DeviceBatchSolver> make_device_batch_solver(const SolverOptions& options) {
  return make_cond_batch_solver(resolved(options));
}

std::unique_ptr<ContactSolver> make_solver(const SolverOptions& options,
                                           const std::shared_ptr<AggregatePool>& aggregates) {
  const SolverOptions own = resolved(options);
  for (const SolverEntry& entry : solver_catalogue()) {
    if (options.solver != entry.name) continue;
    std::unique_ptr<ContactSolver> solver = entry.make(own);
    if (aggregates) solver->share(aggregates);
    return solver;
  }
  if (is_stepper(options.solver))
    throw_bad_value("solver", options.solver, "a solver of single problems",
                    "it advances whole scenes: nodia run SCENARIO --solver " + options.solver);
  throw_unknown_word("solver", options.solver, method_names());
}

}  // namespace nodia
