/// The interface of steppers, which advance the environments of a simulation.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "host/problem/device_nodes.hpp"
#include "host/simulation/environment.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

using Environments = std::vector<std::unique_ptr<Environment>>;
std::vector<Environment*> pointers_of(const Environments& envs);

/// A request to advance the environments.
struct Steps {
  int count = 1;
  /// [n_env] 1: the environment does not move, if the method supports that; empty: none.
  std::vector<char> inactive = {};
  /// Called at the end of every step of an environment, in the order of its steps, by the thread
  /// that computed it; other environments call it at the same time.
  std::function<void(int env)> each = {};
  /// each() reads states and contacts only where the prefetch hint announces it, and changes
  /// nothing.
  bool reads_follow_hint = false;
  /// Called after every step of a stepper with is_joint(). After false it finishes the steps that
  /// have begun, and stops.
  std::function<bool()> continues = {};

  bool is_inactive(int env) const {
    return !inactive.empty() && inactive[static_cast<std::size_t>(env)] != 0;
  }
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  /// True if all environments end a step before the next begins; each() then runs in the order of
  /// the environments, in the calling thread.
  virtual bool is_joint() const { return false; }
  /// Advances the environments that have not failed.
  /// @param records  [n_env] record of the environment's last step
  /// @param stepped  out: [n_env] 1 if the environment took part
  virtual void step(const Steps& steps, std::vector<StepRecord>* records,
                    std::vector<char>* stepped) = 0;
  /// Takes note that another environment has replaced this one.
  /// @throws InputError for a scene that the method does not support; nothing has changed then
  virtual void replace(int env) { reset(env); }
  /// Clears what the stepper knows of the environment's past.
  virtual void reset(int env) = 0;
  /// Sets the prefetch hint: states and contacts are downloaded while the host makes records.
  /// @param reads  reads(env, step): the caller will read the environment at the end of that step
  virtual void set_prefetch_hint(std::function<bool(int env, int step)>&& /*reads*/) {}
  /// Copies nodes into an array in device memory; empty if no device advances the environments.
  /// @throws RuntimeError if the device has lost the nodes or fails
  virtual std::optional<DeviceNodes> gather(const WantedNodes& /*wanted*/) { return {}; }
  /// State of the environment's solver.
  virtual SolverState solver_state(int /*env*/) { return {}; }
  virtual void set_solver_state(int /*env*/, const SolverState& /*state*/) {}
};

/// Makes the stepper of a solver in one of the tables of host/solvers/catalogue.hpp.
/// @param envs        of equal time.step_s and time.theta
/// @param aggregates  shared by all solvers of the stepper
/// @throws InputError for a bad option, or for a scene that the method does not support
std::unique_ptr<Stepper> make_stepper(const SolverOptions& options, Environments* envs,
                                      const std::shared_ptr<AggregatePool>& aggregates);

}  // namespace nodia
