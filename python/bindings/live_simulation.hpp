/// A simulation as Python holds it: one caller at a time, names in the place of numbers.
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

/// @param what  the name is of
/// @throws InputError with the nearest one
[[noreturn]] void refuse_name(const char* what, const std::string& name,
                              const std::vector<std::string>& known);

class LiveSimulation {
 public:
  /// @param threads  in the place of solver.threads
  /// @throws InputError where the episodes do not agree on the solver, or the backend cannot be had
  LiveSimulation(Episodes episodes, std::optional<int> threads, const BackendRequest& backend);

  int n_env() const { return simulation_->n_env(); }
  const Scenario& episode(int env) const;
  const ResolvedBackend& backend() const { return backend_; }

  /// The simulation at rest, for one look.
  /// @param env  that is looked at
  /// @throws RuntimeError while another thread steps it, std::out_of_range for an unknown
  /// environment
  const Simulation& still(int env) const;
  const Objects& objects(int env) const;
  /// The end of the last step since the environment's start; nothing where there was none.
  std::optional<StepView> last_step(int env) const;

  /// Changes something of an environment between steps; nobody else may, or look, meanwhile.
  void change(int env, const std::function<void(Simulation*)>& action);
  void load(int env, const Checkpoint& checkpoint);
  /// @throws InputError where the episode has another solver
  void reset(int env, std::shared_ptr<const Scenario> episode);
  /// @param go_on  asked after every step, which stays whole where it says no
  StepReports step(int n, const std::function<bool()>& go_on);

  /// @throws InputError with the nearest name
  const BodyRange& body(int env, const std::string& name, BodyKind kind) const;
  /// A rigid body or a cable. @throws as above
  const BodyRange& frames_of(int env, const std::string& name) const;
  /// Any body. @throws as above
  const BodyRange& moving(int env, const std::string& name) const;
  std::int32_t object(int env, const std::string& name) const;
  /// Place in the scene's list. @throws as above
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
  std::vector<char> stepped_;     ///< by environment: it has a last step
  mutable std::atomic<bool> busy_ = false;
};

}  // namespace nodia::python
