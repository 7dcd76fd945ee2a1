/// All environments in one problem: for a device, which is filled by many at once.
#pragma once

#include <memory>

#include "host/simulation/batch_problem.hpp"
#include "host/simulation/stepper.hpp"

namespace nodia {

/// Leaves no environment out. Where the solver makes the contacts, ends of steps stay with it until
/// somebody asks for them.
class JointStepper final : public Stepper, private Environment::Holder {
 public:
  JointStepper(const SolverOptions& options, Environments* envs);
  void step(const Steps& steps, std::vector<StepRecord>* records,
            std::vector<char>* stepped) override;
  void replace(int env) override;
  void forget(int env) override { solver_->forget(env); }
  EnvironmentMemory memory(int env) override { return solver_->memory(env); }
  void set_memory(int env, const EnvironmentMemory& memory) override {
    solver_->set_memory(env, memory);
  }

 private:
  void bring() override;
  void make_whole();
  void take_step(StepRecord* records, char* stepped);

  Environments& envs_;
  BatchProblem batch_;
  DeviceSoftPairs soft_pairs_;
  std::unique_ptr<ContactSolver> solver_;
  Solution solution_;
  bool is_whole_ = false;  ///< all of solution_ is here
};

}  // namespace nodia
