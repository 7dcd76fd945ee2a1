/// How the environments of a simulation are taken through steps.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "host/simulation/environment.hpp"
#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

using Environments = std::vector<std::unique_ptr<Environment>>;
std::vector<Environment*> pointers_of(const Environments& envs);

/// Steps that are to be taken.
struct Steps {
  int count = 1;
  /// Environments that stand still meanwhile, where the method can leave some out; empty: none.
  std::vector<char> resting = {};
  /// Called at the end of every step of an environment, in the order of its steps, by the thread
  /// that took it: of other environments at the same time.
  std::function<void(int env)> each = {};
  /// each() asks for states and contacts of those steps and environments alone that were foreseen,
  /// and changes nothing.
  bool asks_as_foreseen = false;
  /// Called after every step, where all environments are taken through it before the next; after a
  /// false those that have begun are taken, and no more.
  std::function<bool()> go_on = {};

  bool is_inactive(int env) const {
    return !resting.empty() && resting[static_cast<std::size_t>(env)] != 0;
  }
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  /// Whether all environments are taken through a step before the next, each() in their order in
  /// the calling thread.
  virtual bool is_joint() const { return false; }
  /// Takes the environments that have not failed through steps.
  /// @param records  one an environment: of its last step
  /// @param stepped  out, per environment: whether it took part
  virtual void step(const Steps& steps, std::vector<StepRecord>* records,
                    std::vector<char>* stepped) = 0;
  /// Another environment has come into the place of one.
  /// @throws InputError for a scene that the method does not cover; nothing has changed then
  virtual void replace(int env) { forget(env); }
  /// An environment's state was set: nothing of its past counts.
  virtual void forget(int env) = 0;
  /// Tells whose states or contacts will be asked for at the end of which steps, so that they come
  /// while records are made. @param asked  asked(env, step)
  virtual void foresee(std::function<bool(int env, int step)>&& /*asked*/) {}
  /// Nodes in the memory of the device that takes the steps; nothing where none does.
  /// @throws RuntimeError where they are lost, or the device fails
  virtual std::optional<DeviceNodes> gather(const WantedNodes& /*wanted*/) { return {}; }
  /// What is remembered of an environment's past, and the same put back.
  virtual EnvironmentMemory memory(int /*env*/) { return {}; }
  virtual void set_memory(int /*env*/, const EnvironmentMemory&) {}
};

/// By its name in one of the two tables of host/solvers/catalogue.hpp.
/// @param envs        of equal time.step_s and time.theta
/// @param aggregates  of all solvers that it makes
/// @throws InputError for a bad option, or for a scene that the method does not cover
std::unique_ptr<Stepper> make_stepper(const SolverOptions& options, Environments* envs,
                                      const std::shared_ptr<AggregatePool>& aggregates);

}  // namespace nodia
