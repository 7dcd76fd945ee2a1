/// Estimates the memory of a batch before it is built.
#pragma once

#include <string>

#include "scenarios/build/scenario.hpp"

namespace nodia {

struct MemoryNeed {
  int n_env = 1;
  double environment_bytes = 0;  ///< of one environment
  double recording_bytes = 0;    ///< buffered frames of all trajectories
  double total_bytes = 0;        ///< program, environments and frames
  double available_bytes = 0;    ///< free memory of the machine or its control group
};

/// Estimates the memory of a batch.
/// @param like        one environment; the estimate assumes that all are like it
/// @param n_recorded  number of environments with a trajectory
MemoryNeed memory_need(const Scenario& like, int n_env, int n_recorded);

/// @throws InputError if less memory is available than the batch needs
void require_memory(const MemoryNeed& need);

/// Number of bytes as text, such as `1.2 GB`.
std::string shown_bytes(double bytes);

}  // namespace nodia
