/// Advances environments by position-based dynamics (position_based.hpp).
#pragma once

#include "host/simulation/position_based/position_based.hpp"
#include "host/simulation/stepper.hpp"

namespace nodia {

class PositionStepper final : public Stepper {
 public:
  /// @throws InputError for a scene that the method does not support
  PositionStepper(const SolverOptions& options, Environments* envs);
  void step(const Steps& steps, std::vector<StepRecord>* records,
            std::vector<char>* stepped) override;
  void reset(int env) override;

 private:
  void step_environment(int env, StepRecord* record);

  SolverOptions options_;
  Environments& envs_;
  std::vector<std::unique_ptr<PositionBased>> methods_;  ///< one per environment
};

std::unique_ptr<Stepper> make_position_stepper(const SolverOptions& options, Environments* envs);

}  // namespace nodia
