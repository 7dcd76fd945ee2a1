#include "host/exchange/survives.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace nodia {
namespace {

constexpr rlim_t kCpuSeconds = 60;

[[noreturn]] void run_child(const std::function<void()>& action) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) std::signal(signal, SIG_DFL);
  const rlimit cpu{kCpuSeconds, kCpuSeconds}, core{0, 0};
  setrlimit(RLIMIT_CPU, &cpu);
  setrlimit(RLIMIT_CORE, &core);
  try {
    action();
  } catch (...) {
    _exit(0);
  }
  _exit(0);
}

}  // namespace

bool survives_in_child(const std::function<void()>& action) {
  const pid_t child = fork();
  if (child < 0) return true;  // no process to be had: nothing is known
  if (child == 0) run_child(action);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return true;
  return WIFEXITED(status);
}

}  // namespace nodia
