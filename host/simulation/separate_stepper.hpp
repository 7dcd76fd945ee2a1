/// Advances every environment by its own problem and solver.
#pragma once

#include "host/simulation/batch_problem.hpp"
#include "host/simulation/stepper.hpp"

namespace nodia {

/// On a CPU, consecutive steps of one environment find its data in the cache.
class SeparateStepper final : public Stepper {
 public:
  /// @param aggregates  shared by all solvers
  SeparateStepper(const SolverOptions& options, Environments* envs,
                  std::shared_ptr<AggregatePool> aggregates);
  void step(const Steps& steps, std::vector<StepRecord>* records,
            std::vector<char>* stepped) override;
  void replace(int env) override;
  void reset(int env) override { place(env).solver->reset(0); }
  SolverState solver_state(int env) override { return place(env).solver->state(0); }
  void set_solver_state(int env, const SolverState& state) override {
    place(env).solver->set_state(0, state);
  }

 private:
  struct Place {
    BatchProblem batch;  ///< one environment
    std::unique_ptr<ContactSolver> solver;
    Solution solution;
  };

  Place make_place(Environment* env) const;
  Place& place(int env) { return places_[static_cast<std::size_t>(env)]; }

  SolverOptions options_;  ///< options for one environment
  int most_solves_;        ///< see run_step()
  int threads_;            ///< threads for all environments
  Environments& envs_;
  std::shared_ptr<AggregatePool> aggregates_;
  std::vector<Place> places_;
};

}  // namespace nodia
