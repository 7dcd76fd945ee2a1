/// The V-FPI loop on the CPU: one environment over all threads, or one environment per thread.
#pragma once

#include "host/solvers/cond/loop_problem.hpp"
#include "kernels/vfpi/times.hpp"

namespace nodia {

/// Solves every environment of a problem that was set; `times` gets each one's own.
/// @param n_thread  0: chosen from the problem's size and the machine
template <class Precision>
void run_cpu_loop(LoopProblem<Precision>* problem, int n_thread, std::vector<VfpiTimes>* times);

}  // namespace nodia
