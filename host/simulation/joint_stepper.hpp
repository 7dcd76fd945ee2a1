/// All environments in one problem: for a device, which is filled by many at once.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "host/simulation/batch_problem.hpp"
#include "host/simulation/stepper.hpp"

namespace nodia {

/// Leaves no environment out. Where the solver makes the contacts, ends of steps stay with it until
/// somebody asks for them, or until it refuses a step, whose contacts of soft surfaces it cannot
/// make: that one is built here, all environments'. Where it refuses several one after another,
/// more and more are built here before it is asked again, as long as surfaces are near each other.
class JointStepper final : public Stepper, private Environment::Holder {
 public:
  JointStepper(const SolverOptions& options, Environments* envs);
  bool is_joint() const override { return true; }
  void step(const Steps& steps, std::vector<StepRecord>* records,
            std::vector<char>* stepped) override;
  void replace(int env) override;
  void forget(int env) override { set_memory(env, {}); }
  void foresee(std::function<bool(int env, int step)>&& asked) override {
    asked_ = std::move(asked);
  }
  std::optional<DeviceNodes> gather(const WantedNodes& wanted) override {
    return solver_->gather(wanted);
  }
  EnvironmentMemory memory(int env) override { return solver_->memory(env); }
  void set_memory(int env, const EnvironmentMemory& memory) override {
    solver_->set_memory(env, memory);
    begins_anew_[static_cast<std::size_t>(env)] = 1;
  }

 private:
  void bring(int env) override;
  std::vector<EnvironmentRange> left() const;
  void bring_all();
  bool can_leave() const;
  void build_refused();
  void begin_foreseen();
  void end_begun();
  void make_whole(const std::vector<char>& needed);
  void bring_whole(const std::vector<EnvironmentRange>& ranges);
  void take_ends(const std::vector<EnvironmentRange>& ranges);
  int ahead(int n_known);
  void take_step(int n_known, StepRecord* records, char* stepped);

  Environments& envs_;
  BatchProblem batch_;
  DeviceSoftPairs soft_pairs_;
  std::unique_ptr<ContactSolver> solver_;
  Solution solution_;
  std::vector<char> begins_anew_;  ///< per environment: its next step is not led by its last one
  bool builds_next_ = false;       ///< the next step is built here, whoever makes the contacts
  int n_refused_ = 0;              ///< steps that were refused since one was left
  int n_to_build_ = 0;             ///< steps that are built here before the solver is asked again
  std::function<bool(int env, int step)> asked_;
  std::vector<EnvironmentRange> begun_;  ///< that come
  std::vector<EnvironmentRange> whole_;  ///< that have come, while the step is recorded
  // Of the last step: environments [asked_end_ - n_asked_, asked_end_) came one after another.
  int asked_end_ = 0, n_asked_ = 0;
};

}  // namespace nodia
