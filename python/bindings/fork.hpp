/// Support of processes that are forked from a process with OpenMP threads.
#pragma once

namespace nodia::python {

/// Makes child processes (multiprocessing with fork) run their parallel loops in one thread. The
/// parent's threads do not exist in a child, which would wait for them forever. No result depends
/// on the number of threads.
void run_serially_after_fork();

}  // namespace nodia::python
