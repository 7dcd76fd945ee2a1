/// Who acts in the episodes of a dataset.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "scenarios/build/scenario.hpp"
#include "scenarios/task/task_environments.hpp"

namespace nodia {

/// The cause of an episode whose actor threw ActorFailure.
inline constexpr const char* kBadPolicy = "bad_policy";

/// Why an actor has no action: its episode fails in the coming control step, and no other does.
class ActorFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Acts in one episode, from its start on.
class Actor {
 public:
  virtual ~Actor() = default;
  /// The action of the coming control step.
  /// @param env  of the environments: the episode's
  /// @throws ActorFailure, which depends on the episode alone too
  virtual std::vector<double> action(const TaskEnvironments& environments, int env) = 0;
};

/// Makes the actor of an episode, whose actions depend on the episode alone. Called by several
/// threads at once.
using ActorMaker = std::function<std::unique_ptr<Actor>(const Scenario& episode)>;

/// `script`: the scene's own paths.
ActorMaker script_actor();

/// Of the key `task.policy`. @throws InputError for a class of Python
ActorMaker actor_of(const TaskDescription& task);

}  // namespace nodia
