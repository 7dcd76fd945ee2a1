/// Dense products of nodia are Eigen's and run in its own threads, but CHOLMOD may bring OpenBLAS,
/// which starts a pool as it is loaded: never used, and where memory is limited its threads keep
/// the process from ending. One thread is told by OPENBLAS_NUM_THREADS, which must stand before any
/// library begins: so the program starts itself once more, from where no library has begun yet.
#include <link.h>
#include <unistd.h>

#include <cstring>

namespace {

constexpr const char* kVariable = "OPENBLAS_NUM_THREADS=";
char setting[] = "OPENBLAS_NUM_THREADS=1";
constexpr int kMostVariables = 4096;
char* environment[kMostVariables + 2];
char program[4096];

__attribute__((no_sanitize("address", "undefined"))) int is_openblas(dl_phdr_info* library,
                                                                     std::size_t, void*) {
  return library->dlpi_name && std::strstr(library->dlpi_name, "openblas") ? 1 : 0;
}

__attribute__((no_sanitize("address", "undefined"))) void start_with_one_blas_thread(int,
                                                                                     char** argv,
                                                                                     char** envp) {
  int n = 0;
  for (; envp[n]; ++n)
    if (n == kMostVariables || std::strncmp(envp[n], kVariable, std::strlen(kVariable)) == 0)
      return;
  if (dl_iterate_phdr(is_openblas, nullptr) == 0) return;
  for (int k = 0; k < n; ++k) environment[k] = envp[k];
  environment[n] = setting;
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length > 0) execve(program, argv, environment);
}

[[gnu::section(".preinit_array"),
  gnu::used]] void (*const first_of_all)(int, char**, char**) = start_with_one_blas_thread;

}  // namespace
