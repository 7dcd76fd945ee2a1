/// Devices on which whole steps were measured to be faster than on the CPU, and the choice that
/// `--backend auto` makes from these measurements.
#pragma once

#include <cstdint>
#include <string>

#include "host/problem/contact_problem.hpp"
#include "host/scene/scene.hpp"
#include "host/solvers/execution.hpp"

namespace nodia {

/// Row of the table in docs/gpu.md (tests/tools/test_measured_devices.py compares both). All rows
/// were measured in scenes of soft bodies and obstacles.
struct MeasuredDevice {
  const char* device;  ///< name of the device, as CUDA reports it
  const char* solver;  ///< name in the catalogue
  std::int64_t n_row;  ///< smallest Workload::n_row at which a whole step was clearly faster on the
                       ///< device than on the CPU
  const char* results;  ///< page with the measurement, relative to docs/
};
inline constexpr MeasuredDevice kMeasuredDevices[] = {
    {"NVIDIA H200", "cond", 14976, "results/2026-11-26.md"},
};

/// True if kMeasuredDevices has a row for the solver.
bool is_measured(const std::string& solver);

/// What the choice depends on, beside device and solver.
struct Workload {
  std::int64_t n_row = 0;        ///< rows of A in all environments together, one per node
  int n_env = 1;                 ///< number of environments
  bool only_soft_bodies = true;  ///< soft bodies and obstacles; false if the bodies are unknown
};

/// Workload of n_env environments like the scene. Counts the rows of soft bodies only.
Workload workload_of(const Scene& scene, int n_env);
Workload workload_of(const ContactProblem& problem);

struct BackendChoice {
  Backend backend = Backend::cpu;
  std::string because;  ///< reason of the choice
};

/// Chooses the device if kMeasuredDevices has a row for it and the solver, and the workload
/// consists of soft bodies and has at least the row's size; else the CPU.
/// @param device  name of a device that the solver can use, as CUDA reports it
BackendChoice choose_backend(const std::string& device, const std::string& solver,
                             const Workload& workload);

}  // namespace nodia
