/// Whether a batch will fit into memory, before it is built.
#pragma once

#include <string>

#include "scenarios/build/scenario.hpp"

namespace nodia {

struct MemoryNeed {
  int n_env = 1;
  double environment_bytes = 0;  ///< of one, the mean
  double recording_bytes = 0;    ///< frames of all trajectories that no part has yet
  double total_bytes = 0;        ///< with the program
  double available_bytes = 0;    ///< of the machine or its control group
};

/// @param like  an environment; all are taken to be like it
MemoryNeed memory_need(const Scenario& like, int n_env, int n_recorded);

/// @throws InputError if less memory is free than is needed
void require_memory(const MemoryNeed& need);

/// `1.2 GB`.
std::string shown_bytes(double bytes);

}  // namespace nodia
