#include "python/bindings/fork.hpp"

#include <omp.h>
#include <pthread.h>

namespace nodia::python {

void run_serially_after_fork() {
  pthread_atfork(nullptr, nullptr, [] { omp_set_max_active_levels(0); });
}

}  // namespace nodia::python
