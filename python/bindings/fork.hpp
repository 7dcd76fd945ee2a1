/// A process that was forked from one with OpenMP threads.
#pragma once

namespace nodia::python {

/// Lets child processes (multiprocessing with fork) run their parallel loops in one thread: the
/// threads of the parent do not exist there, and waiting for them would never end. No result
/// depends on the number of threads.
void run_serially_after_fork();

}  // namespace nodia::python
