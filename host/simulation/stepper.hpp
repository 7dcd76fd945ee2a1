/// How the environments of a simulation are taken through a step.
#pragma once

#include <memory>
#include <vector>

#include "host/simulation/batch_problem.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Takes the environments that have not failed to the end of their step.
  /// @param records  out, one an environment
  /// @param stepped  out, per environment: whether it took part
  virtual void step(std::vector<StepRecord>* records, std::vector<char>* stepped) = 0;
  /// An environment's state was set, or it is another one: nothing of its past counts.
  /// @throws InputError for a scene that the method does not cover; nothing has changed then
  virtual void forget(int /*env*/) {}
  /// What is remembered of an environment's past, and the same put back.
  virtual EnvironmentMemory memory(int /*env*/) { return {}; }
  virtual void set_memory(int /*env*/, const EnvironmentMemory&) {}
};

/// The step as one problem of velocities and contact forces, left to a solver of such problems.
class ImplicitStepper final : public Stepper {
 public:
  ImplicitStepper(std::unique_ptr<ContactSolver> solver, BatchProblem* batch)
      : solver_(std::move(solver)), batch_(*batch) {}
  void step(std::vector<StepRecord>* records, std::vector<char>* stepped) override;
  void forget(int env) override { solver_->forget(env); }
  EnvironmentMemory memory(int env) override { return solver_->memory(env); }
  void set_memory(int env, const EnvironmentMemory& memory) override {
    solver_->set_memory(env, memory);
  }

 private:
  std::unique_ptr<ContactSolver> solver_;
  BatchProblem& batch_;
  Solution solution_;
};

/// By its name in one of the two tables of host/solvers/catalogue.hpp.
/// @throws InputError for a bad option, or for a scene that the method does not cover
std::unique_ptr<Stepper> make_stepper(const SolverOptions& options, Environments* envs,
                                      BatchProblem* batch);

}  // namespace nodia
