/// Estimated memory of the cases of `nodia bench`, before they are built.
#pragma once

#include <string>

#include "host/solvers/execution.hpp"

namespace nodia::studies {

/// Empty if the case fits the free memory of this machine and, on the GPU, of the GPU; otherwise
/// the memory that it needs and the free memory.
/// @param name    iteration, product, step, batch_step or batch_set_up
/// @param n_node  of one of the n_env mats
std::string too_little_memory(const std::string& name, int n_node, int n_env, Backend backend);

}  // namespace nodia::studies
