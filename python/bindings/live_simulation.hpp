/// Simulation behind nodia._core.Simulation: one caller at a time, objects by name.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/backend/backend.hpp"
#include "host/simulation/simulation.hpp"
#include "python/bindings/episodes.hpp"
#include "python/bindings/step_reports.hpp"

namespace nodia::python {

/// Reports an unknown name.
/// @param what  kind of the named object
/// @throws InputError with the most similar known name
[[noreturn]] void refuse_name(const char* what, const std::string& name,
                              const std::vector<std::string>& known);

class LiveSimulation {
 public:
  /// @param threads  replaces solver.threads
  /// @throws InputError if the solver settings of the episodes differ, or the backend is not
  /// available
  LiveSimulation(Episodes episodes, std::optional<int> threads, const BackendRequest& backend);

  int n_env() const { return simulation_->n_env(); }
  const Scenario& episode(int env) const;
  const ResolvedBackend& backend() const { return backend_; }

  /// The simulation between two steps, for one read.
  /// @param env  environment to read
  /// @throws RuntimeError while another thread steps the simulation, std::out_of_range for an
  /// unknown environment
  const Simulation& still(int env) const;
  const Objects& objects(int env) const;
  /// End of the last step since the start of the environment; empty before its first step.
  std::optional<StepView> last_step(int env) const;

  /// Calls `action` to change an environment between steps. Other callers then get RuntimeError.
  void change(int env, const std::function<void(Simulation*)>& action);
  void load(int env, const Checkpoint& checkpoint);
  /// @throws InputError if the episode has other solver settings
  void reset(int env, std::shared_ptr<const Scenario> episode);
  /// Takes up to n steps. @param go_on  called after every step; false ends the call
  StepReports step(int n, const std::function<bool()>& go_on);

  /// Body of this kind. @throws InputError with the most similar name
  const BodyRange& body(int env, const std::string& name, BodyKind kind) const;
  /// A rigid body or a cable. @throws as above
  const BodyRange& frames_of(int env, const std::string& name) const;
  /// Any body. @throws as above
  const BodyRange& moving(int env, const std::string& name) const;
  /// Index in objects(). @throws as above
  std::int32_t object(int env, const std::string& name) const;
  /// Index in the scene's list of robots. @throws as above
  std::int32_t robot(int env, const std::string& name) const;
  const RobotSceneDescription& robot_of(int env, const std::string& name) const;

 private:
  using Wanted = std::function<bool(BodyKind)>;
  const BodyRange& find(int env, const std::string& name, const char* what,
                        const Wanted& wanted) const;

  Episodes episodes_;
  ResolvedBackend backend_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<Objects> objects_;  ///< by environment
  std::vector<char> stepped_;     ///< by environment: 1 if it has a last step
  mutable std::atomic<bool> busy_ = false;
};

}  // namespace nodia::python
