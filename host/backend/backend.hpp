/// Where a run's contact solver works, and how on a device: what can be asked for, by the command
/// line and in Python, and what it comes to on this machine.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/backend/measured_devices.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// How and on which device a solver's loops run there.
struct DeviceRequest {
  std::string loop = "auto";
  std::optional<int> device;
  std::string dashes = "--";  ///< before an option's name in errors; empty in Python

  /// @throws InputError where a word or a number is none that there is
  void require_good() const;
  /// Sets device and launch mode of a run on a device. @throws InputError if the machine lacks one
  /// of them
  /// @return why auto is not the graph; empty otherwise
  std::string apply(ExecutionOptions* execution) const;
  /// Of a run on no device. @throws InputError where something was asked of one
  /// @param because  why there is none
  void require_unused(const std::string& because) const;

 private:
  std::optional<LoopLauncher> launcher() const;
};

/// What a request came to.
struct ResolvedBackend {
  Backend backend = Backend::cpu;
  std::string because = {};   ///< why auto came to it, or why it is not the device that was asked
                              ///< for; empty where it is as it was asked for
  bool had_a_choice = false;  ///< auto found a device that the solver can run on
  std::string loop_because = {};  ///< why a loop of auto is not the graph; empty otherwise
  bool declined = false;          ///< a device was asked for, and the work has no form on one

  /// For a log: what was chosen or declined; empty where it is as it was asked for.
  std::string in_words() const;
};

/// What a choice may depend on; asked for where it does.
struct WorkToPlace {
  std::function<Workload()> workload;           ///< where auto has a choice
  std::function<std::string()> no_device_form;  ///< why newton has none for it; empty: it has
};

/// WorkToPlace::no_device_form: of a scene, and of a problem.
std::string newton_without_device_form(const Scene& scene, const SolverOptions& options);
std::string newton_without_device_form(const ContactProblem& problem, const SolverOptions& options);

struct BackendRequest {
  std::string backend = "auto";
  DeviceRequest device;

  /// Sets the backend that will be used. @throws InputError where it cannot be had
  /// @param solver  name in the catalogue
  ResolvedBackend resolve(const std::string& solver, const WorkToPlace& work,
                          ExecutionOptions* execution) const;
  /// Of a simulation of n_env environments like this one, by its solver. @throws as above
  ResolvedBackend resolve(const Scene& scene, int n_env, SolverOptions* options) const;

 private:
  ResolvedBackend choose(const std::string& solver, const WorkToPlace& work) const;
};

/// An option of the command line, an argument in Python.
struct BackendOption {
  const char* name;
  const char* values;
  const char* meaning;
  std::variant<std::string*, std::optional<int>*> value;  ///< of the request, with its default
};

/// `loop` and `device`.
std::vector<BackendOption> options_of(DeviceRequest* request);
/// The same behind `backend`.
std::vector<BackendOption> options_of(BackendRequest* request);

}  // namespace nodia
