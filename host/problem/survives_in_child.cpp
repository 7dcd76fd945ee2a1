/// Runs code in a child process that may crash.
#include "host/problem/survives_in_child.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

namespace nodia {
namespace {

constexpr rlim_t kCpuSeconds = 60;

void write_result(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(1);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::string read_all(int descriptor) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t n = read(descriptor, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

[[noreturn]] void run_child(const std::function<std::string()>& action, int descriptor) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGINT, SIGTERM, SIGHUP})
    std::signal(signal, SIG_DFL);
  const rlimit cpu{kCpuSeconds, kCpuSeconds}, core{0, 0};
  setrlimit(RLIMIT_CPU, &cpu);
  setrlimit(RLIMIT_CORE, &core);
  try {
    write_result(descriptor, action());
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

}  // namespace

std::optional<std::string> answer_of_child(const std::function<std::string()>& action) {
  int ends[2];
  if (pipe(ends) != 0) return "";
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run_child(action, ends[1]);
  }
  close(ends[1]);
  std::string answer = child > 0 ? read_all(ends[0]) : "";
  close(ends[0]);
  if (child < 0) return "";
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return "";
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return answer;
}

bool survives_in_child(const std::function<void()>& action) {
  return answer_of_child([&]() -> std::string {
           try {
             action();
           } catch (...) {  // the caller runs the action again and sees the exception
           }
           return "";
         })
      .has_value();
}

}  // namespace nodia
