/// Restarts the program with environment variables that configure the threads of libraries, before
/// any thread or static object exists.
///
/// OPENBLAS_NUM_THREADS=1: Eigen computes the dense products of nodia in nodia's own threads, but
/// CHOLMOD may load OpenBLAS, which starts a thread pool when it is loaded. nodia never uses this
/// pool, and under a memory limit it prevents the process from ending.
/// GOMP_SPINCOUNT: a waiting thread polls 1000 times and then sleeps. The default of 300,000 polls
/// occupies cores that other programs need.
///
/// Compiled for the oldest CPU of the architecture, because it runs before the check of the CPU.
#include <link.h>
#include <unistd.h>

#include <cstring>

#include "tools/command/cpu_check.hpp"

namespace {

constexpr const char* kOfBlas = "OPENBLAS_NUM_THREADS=";
constexpr const char* kOfWaiting[] = {"GOMP_SPINCOUNT=", "OMP_WAIT_POLICY="};
char one_thread[] = "OPENBLAS_NUM_THREADS=1", short_spin[] = "GOMP_SPINCOUNT=1000";
constexpr int kMostVariables = 4096;
char* environment[kMostVariables + 3];
char program[4096];

__attribute__((no_sanitize("address", "undefined"))) int is_openblas(dl_phdr_info* library,
                                                                     std::size_t, void*) {
  return library->dlpi_name && std::strstr(library->dlpi_name, "openblas") ? 1 : 0;
}

__attribute__((no_sanitize("address", "undefined"))) bool sets(const char* entry,
                                                               const char* variable) {
  return std::strncmp(entry, variable, std::strlen(variable)) == 0;
}

__attribute__((no_sanitize("address", "undefined"))) void start_once_more(int, char** argv,
                                                                          char** envp) {
  nodia::cli::require_cpu();
  int n = 0;
  bool blas_is_told = false, waits_as_told = false;
  for (; envp[n]; ++n) {
    if (n == kMostVariables) return;
    blas_is_told |= sets(envp[n], kOfBlas);
    for (const char* variable : kOfWaiting) waits_as_told |= sets(envp[n], variable);
  }
  blas_is_told |= dl_iterate_phdr(is_openblas, nullptr) == 0;
  if (blas_is_told && waits_as_told) return;
  for (int k = 0; k < n; ++k) environment[k] = envp[k];
  if (!blas_is_told) environment[n++] = one_thread;
  if (!waits_as_told) environment[n++] = short_spin;
  environment[n] = nullptr;
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length > 0) execve(program, argv, environment);
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const first_of_all)(int, char**,
                                                                         char**) = start_once_more;

}  // namespace
