/// The V-FPI loop on the CPU: one environment over all threads, or one environment per thread.
#pragma once

#include "host/solvers/cond/loop_problem.hpp"
#include "kernels/vfpi/times.hpp"

namespace nodia {

/// Solves every environment of the problem; `times` gets the times of each.
/// @param n_thread  0: from the problem's size and the machine
template <class Precision>
void run_cpu_loop(LoopProblem<Precision>* problem, int n_thread, std::vector<VfpiTimes>* times);

}  // namespace nodia
