#include "tools/command/thread_cap.hpp"

#include <omp.h>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace nodia::cli {

void ThreadCap::declare(CLI::App& app) {
  app.add_flag("--oversubscribe", oversubscribe, "allow more threads than the machine has cores")
      ->group("Solver");
}

void ThreadCap::apply(int* count) const {
  if (oversubscribe) return;
  const int n_core = omp_get_num_procs();
  const int asked = *count > 0 ? *count : omp_get_max_threads();
  if (asked <= n_core) return;
  spdlog::warn("{} threads, not {}: there are no more cores (--oversubscribe takes them all)",
               n_core, asked);
  omp_set_num_threads(n_core);
  *count = std::min(*count, n_core);
}

}  // namespace nodia::cli
