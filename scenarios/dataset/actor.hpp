/// Who acts in the episodes of a dataset.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "scenarios/build/scenario.hpp"
#include "scenarios/task/task_environments.hpp"

namespace nodia {

/// Acts in one episode, from its start on.
class Actor {
 public:
  virtual ~Actor() = default;
  /// The action of the coming control step. @param environments  of one environment
  virtual std::vector<double> action(const TaskEnvironments& environments) = 0;
};

/// Makes the actor of an episode, whose actions depend on the episode alone. Called by several
/// threads at once.
using ActorMaker = std::function<std::unique_ptr<Actor>(const Scenario& episode)>;

/// `script`: the scene's own paths.
ActorMaker script_actor();

/// Of the key `task.policy`. @throws InputError for a class of Python
ActorMaker actor_of(const TaskDescription& task);

}  // namespace nodia
