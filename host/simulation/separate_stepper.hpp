/// Every environment as a problem of its own, solved by a solver of its own: for a CPU, where
/// several steps of one environment find it in the cache.
#pragma once

#include "host/simulation/batch_problem.hpp"
#include "host/simulation/stepper.hpp"

namespace nodia {

class SeparateStepper final : public Stepper {
 public:
  /// @param aggregates  of all its solvers
  SeparateStepper(const SolverOptions& options, Environments* envs,
                  std::shared_ptr<AggregatePool> aggregates);
  void step(const Steps& steps, std::vector<StepRecord>* records,
            std::vector<char>* stepped) override;
  void replace(int env) override;
  void forget(int env) override { place(env).solver->forget(0); }
  EnvironmentMemory memory(int env) override { return place(env).solver->memory(0); }
  void set_memory(int env, const EnvironmentMemory& memory) override {
    place(env).solver->set_memory(0, memory);
  }

 private:
  struct Place {
    BatchProblem problem;  ///< of one environment
    std::unique_ptr<ContactSolver> solver;
    Solution solution;
  };

  Place make_place(Environment* env) const;
  Place& place(int env) { return places_[static_cast<std::size_t>(env)]; }

  SolverOptions options_;  ///< of one environment
  int threads_;            ///< of all
  Environments& envs_;
  std::shared_ptr<AggregatePool> aggregates_;
  std::vector<Place> places_;
};

}  // namespace nodia
