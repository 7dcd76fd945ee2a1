#include "host/simulation/stepper.hpp"

#include <array>

#include "host/simulation/device_stepper.hpp"
#include "host/simulation/position_based/position_stepper.hpp"
#include "host/simulation/separate_stepper.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/execution.hpp"
#include "host/solvers/position_based/options.hpp"

namespace nodia {
namespace {

/// The solver that advances a batch at once on a device. newton solves environments one by one.
constexpr const char* kCond = "cond";

struct StepperMaker {
  const char* name;
  std::unique_ptr<Stepper> (*make)(const SolverOptions&, Environments*);
};

/// One maker per entry of stepper_catalogue().
constexpr std::array kMakers{StepperMaker{kPositionBasedName, &make_position_stepper}};

}  // namespace

std::vector<Environment*> pointers_of(const Environments& envs) {
  std::vector<Environment*> pointers;
  for (const auto& env : envs) pointers.push_back(env.get());
  return pointers;
}

std::unique_ptr<Stepper> make_stepper(const SolverOptions& options, Environments* envs,
                                      const std::shared_ptr<AggregatePool>& aggregates) {
  options.validate();
  for (const StepperMaker& maker : kMakers)
    if (options.solver == maker.name) {
      SolverOptions resolved = options;
      resolved.tolerance = tolerance_of(options);
      return maker.make(resolved, envs);
    }
  if (options.solver == kCond && options.execution.backend == Backend::cuda)
    return std::make_unique<DeviceStepper>(options, envs);
  return std::make_unique<SeparateStepper>(options, envs, aggregates);
}

}  // namespace nodia
