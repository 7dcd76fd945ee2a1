#include "host/simulation/stepper.hpp"

#include <algorithm>
#include <array>

#include "host/simulation/position_based/position_stepper.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/position_based/options.hpp"

namespace nodia {
namespace {

struct StepperMaker {
  const char* name;
  std::unique_ptr<Stepper> (*make)(const SolverOptions&, Environments*);
};

/// One for every entry of stepper_catalogue().
constexpr std::array kMakers{StepperMaker{kPositionBasedName, &make_position_stepper}};

}  // namespace

void ImplicitStepper::step(std::vector<StepRecord>* records, std::vector<char>* stepped) {
  batch_.build();
  solver_->solve(batch_.problem(), batch_.warm(), &solution_);
  batch_.finish(batch_.problem(), solution_, records, stepped);
}

std::unique_ptr<Stepper> make_stepper(const SolverOptions& options, Environments* envs,
                                      BatchProblem* batch) {
  options.validate();
  for (const StepperMaker& maker : kMakers)
    if (options.solver == maker.name) {
      SolverOptions resolved = options;
      resolved.tolerance = tolerance_of(options);
      return maker.make(resolved, envs);
    }
  return std::make_unique<ImplicitStepper>(make_solver(options), batch);
}

}  // namespace nodia
