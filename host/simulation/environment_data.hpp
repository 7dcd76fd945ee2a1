/// The data of one environment that change from step to step.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "host/simulation/environment_contacts.hpp"
#include "host/simulation/initial_guess.hpp"
#include "host/simulation/state.hpp"
#include "host/simulation/state_downloader.hpp"

namespace nodia {

/// What a step does, depending on the solver's method.
struct StepRules {
  /// A step that creates energy (EnergyWatch) has the status `failed`.
  bool fails_if_energy_created = true;
  /// Nodes of soft bodies follow the rotation of their body (SoftRotation); false: x + t v_hat.
  bool soft_bodies_turn = false;
};

/// State, failure, initial guess and contacts of one environment, shared by its parts.
struct EnvironmentData {
  explicit EnvironmentData(double step_length_s) : step_s(step_length_s) {}

  /// Simulated time after `step` steps [s].
  double time_after(int step) const { return time_origin_s + step * step_s; }
  /// Advances counter and time of the state by one step.
  void advance_time();
  /// Copies the state if a caller shares it: a shared state is immutable.
  void own_state();
  /// An environment that failed, or whose built step has a fault, takes no part in the solve.
  bool is_active() const { return !failed && fault.empty(); }
  bool is_on_device() const { return downloader != nullptr; }
  /// Downloads the end of the last step if it is on the device.
  void download() const {
    if (downloader != nullptr) downloader->download(place);
  }
  std::int32_t n_row() const { return static_cast<std::int32_t>(state->v.size()); }

  const double step_s;
  StepRules rules;
  std::shared_ptr<State> state = std::make_shared<State>();
  double time_origin_s = 0;  ///< Time of step 0.
  bool failed = false;
  std::string failure;  ///< Reason of the failure.
  InitialGuess guess;   ///< initial guess of the next step
  /// Downloads the end of the last step. Null: `state` has it; else `state` has only step and time.
  StateDownloader* downloader = nullptr;
  int place = 0;  ///< index of the environment for the downloader

  // The current step.
  std::string fault;                   ///< Why the step cannot be solved; empty if it can.
  int n_thread = 1;                    ///< Threads for this environment.
  bool solver_makes_contacts = false;  ///< The solver generates A, b and the contacts.
  EnvironmentContacts contacts;
};

}  // namespace nodia
