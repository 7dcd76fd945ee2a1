/// Actors: they select the actions in the episodes of a dataset.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "scenarios/build/scenario.hpp"
#include "scenarios/task/task_environments.hpp"

namespace nodia {

/// Cause of an episode whose actor threw ActorFailure.
inline constexpr const char* kBadPolicy = "bad_policy";

/// Thrown by an actor that cannot return an action. Only its episode fails, in the next control
/// step; what() is the message of the failure.
class ActorFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Selects the actions of one episode, from its first control step on.
class Actor {
 public:
  virtual ~Actor() = default;
  /// Returns the action of the next control step.
  /// @param env  index of the episode's environment
  /// @return one value for each component of the action space, in the component's unit
  /// @throws ActorFailure. Whether it is thrown must depend on the episode alone
  virtual std::vector<double> action(const TaskEnvironments& environments, int env) = 0;
};

/// Constructs the actor of an episode. The actions must depend on the episode alone. Several
/// threads call the function at the same time.
using ActorMaker = std::function<std::unique_ptr<Actor>(const Scenario& episode)>;

/// Actors of the policy `script`: they follow the scene's paths.
ActorMaker script_actor();

/// Actors of the policy in the key `task.policy`. @throws InputError for a Python class
ActorMaker actor_of(const TaskDescription& task);

}  // namespace nodia
