/// Advances all environments of a simulation at once on a device.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "host/simulation/batch_problem.hpp"
#include "host/simulation/stepper.hpp"

namespace nodia {

/// Advances every environment in every step. If the solver generates the contacts, ends of steps
/// stay on the device until a caller reads them. If the solver rejects a step because it cannot
/// generate its contacts between soft surfaces, the host builds this step for all environments.
/// After several rejections in a row, the host builds more steps each time before the solver
/// generates contacts again, as long as soft surfaces are in contact.
class DeviceStepper final : public Stepper, private StateDownloader {
 public:
  DeviceStepper(const SolverOptions& options, Environments* envs);
  bool is_joint() const override { return true; }
  void step(const Steps& steps, std::vector<StepRecord>* records,
            std::vector<char>* stepped) override;
  void replace(int env) override;
  void reset(int env) override { set_solver_state(env, {}); }
  void set_prefetch_hint(std::function<bool(int env, int step)>&& reads) override {
    will_read_ = std::move(reads);
  }
  std::optional<DeviceNodes> gather(const WantedNodes& wanted) override {
    return solver_->gather(wanted);
  }
  SolverState solver_state(int env) override { return solver_->state(env); }
  void set_solver_state(int env, const SolverState& state) override {
    solver_->set_state(env, state);
    restarts_[static_cast<std::size_t>(env)] = 1;
  }

 private:
  void download(int env) override;
  std::vector<EnvironmentRange> on_device() const;
  void download_all();
  bool can_keep_on_device() const;
  void roll_back();
  void begin_download();
  void end_download();
  void complete_solution(const std::vector<char>& needed);
  void complete_solution(const std::vector<EnvironmentRange>& ranges);
  void download_ends(const std::vector<EnvironmentRange>& ranges);
  int n_prefetch(int n_known) const;
  void run_next(int n_known, StepRecord* records, char* stepped);
  bool run_on_device(int n_known, StepRecord* records, char* stepped);
  void run_on_host(StepRecord* records, char* stepped);

  Environments& envs_;
  BatchProblem batch_;
  std::unique_ptr<DeviceBatchSolver> solver_;
  DeviceSolution solution_;
  std::vector<char> restarts_;  ///< Per environment, 1: the next step does not continue the last.
  bool builds_next_ = false;    ///< The host builds the next step.
  int n_rejected_ = 0;          ///< rejected steps since the last accepted device step
  int n_to_build_ = 0;          ///< Steps that the host builds before the solver makes contacts.
  std::function<bool(int env, int step)> will_read_;  ///< See set_prefetch_hint().
  std::vector<EnvironmentRange> begun_;               ///< environments whose download has begun
  std::vector<EnvironmentRange> complete_;  ///< Downloaded before the records of the step exist.
  // Environments [asked_end_ - n_asked_, asked_end_) were downloaded in order after the last step.
  int asked_end_ = 0, n_asked_ = 0;
};

}  // namespace nodia
