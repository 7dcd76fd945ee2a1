#include "fem/mesh/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace nodia {
namespace {

using Clock = std::chrono::steady_clock;

/// A pipe that the programs started by other threads do not inherit.
class Pipe {
 public:
  Pipe() { is_open_ = pipe2(ends_, O_CLOEXEC) == 0; }
  ~Pipe() {
    if (!is_open_) return;
    close(ends_[0]);
    close_writer();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  bool is_open() const { return is_open_; }
  int reader() const { return ends_[0]; }
  int writer() const { return ends_[1]; }
  void close_writer() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
  bool is_open_ = false;
};

/// The environment of this process for a program. Without /proc, the loader takes the program's
/// folder, which its libraries are relative to, from LD_ORIGIN_PATH.
std::vector<std::string> environment_of(const std::string& program) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) variables.emplace_back(*variable);
  if (access("/proc/self/exe", F_OK) != 0) {
    std::erase_if(variables, [](const std::string& v) { return v.starts_with("LD_ORIGIN_PATH="); });
    variables.push_back("LD_ORIGIN_PATH=" + program.substr(0, program.rfind('/')));
  }
  return variables;
}

/// Pointers to texts and a null pointer, as functions of C take them.
std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// @return 0 or an errno
int start(const std::vector<std::string>& words, int output, pid_t* process) {
  const std::vector<std::string> variables = environment_of(words.front());
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (access("/dev/null", R_OK | W_OK) == 0) {  // absent from the smallest containers
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  const int error = posix_spawn(process, words.front().c_str(), &files, nullptr,
                                pointers_to(words).data(), pointers_to(variables).data());
  posix_spawn_file_actions_destroy(&files);
  return error;
}

/// Appends what the pipe delivers until its end. False at the deadline.
bool read_until_end(int reader, Clock::time_point deadline, std::string* output) {
  std::vector<char> buffer(1 << 16);
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd ready{reader, POLLIN, 0};
    const int n_ready = poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (n_ready < 0 && errno == EINTR) continue;
    if (n_ready <= 0) return false;
    const ssize_t n = read(reader, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    output->append(buffer.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace

ChildOutput run_child(const std::vector<std::string>& words, std::chrono::seconds time_limit) {
  Pipe pipe;
  if (!pipe.is_open()) return {ChildEnd::not_started, errno, ""};
  pid_t process = 0;
  if (const int error = start(words, pipe.writer(), &process))
    return {ChildEnd::not_started, error, ""};
  pipe.close_writer();
  ChildOutput result{ChildEnd::exited, 0, ""};
  if (!read_until_end(pipe.reader(), Clock::now() + time_limit, &result.output)) {
    result.end = ChildEnd::out_of_time;
    kill(process, SIGKILL);
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return result;  // the caller ignores SIGCHLD: no status is left
  if (result.end == ChildEnd::out_of_time) return result;
  if (WIFSIGNALED(status)) return {ChildEnd::crashed, WTERMSIG(status), std::move(result.output)};
  result.code = WEXITSTATUS(status);
  return result;
}

}  // namespace nodia
