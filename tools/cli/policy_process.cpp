#include "tools/cli/policy_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

#include "host/io/build_id.hpp"
#include "kernels/core/error.hpp"
#include "scenarios/task/policy.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/python.hpp"
#include "tools/command/verb.hpp"

namespace nodia::cli {
namespace {

constexpr int kBeat_ms = 50;

[[noreturn]] void throw_no_process() {
  throw RuntimeError(fmt::format("task.policy: cannot start a process ({})", std::strerror(errno)));
}

std::string line_of(const nlohmann::json& message) {
  return message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = write(descriptor, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) return;  // answer() reports the end of the process
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

/// Signals that end a process from outside.
constexpr int kFromOutside[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};

/// Runs in the new process. It ignores signals to the process group, because the process that
/// started it handles them. PYTHONHASHSEED gives sets of texts the same order in every process, so
/// a class that iterates over a set is deterministic.
[[noreturn]] void become_policy(const std::string& package, pid_t parent, int input, int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kInterrupted);
  for (const int asked : {SIGINT, SIGTERM, SIGHUP}) signal(asked, SIG_IGN);
  setenv("PYTHONHASHSEED", "0", 1);
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  try {
    become_python_module("nodia_tools.generate", {}, package);
  } catch (const std::exception& error) {
    write_all(STDOUT_FILENO, line_of({{"error", error.what()}}));
  }
  _exit(kFailed);
}

}  // namespace

PolicyProcess::PolicyProcess(const Scenario& scenario) : policy_(scenario.task->policy) {
  const std::string package = compiled_python_directory();
  if (package.empty())
    throw InputError(
        fmt::format("task.policy = {} (must be script or the file of a log here: a class acts from "
                    "the Python package nodia, which is not there)",
                    policy_));
  int in[2], out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) throw_no_process();
  const pid_t self = getpid();
  process_ = fork();
  if (process_ < 0) throw_no_process();
  if (process_ == 0) become_policy(package, self, in[0], out[1]);
  close(in[0]);
  close(out[1]);
  input_ = in[1];
  output_ = out[0];
  tell({{"scenario", scenario.resolved_yaml}, {"policy", policy_}, {"build", build_id()}});
  const std::atomic<bool> never = false;
  answer(never);
}

PolicyProcess::~PolicyProcess() {
  close_input();
  close(output_);
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

Generated PolicyProcess::generate(const std::string& folder, const DatasetRequest& request,
                                  const GenerateOptions& options, const std::atomic<bool>& stop) {
  nlohmann::json backend = nlohmann::json::object();
  BackendRequest request_of_backend = options.backend;
  for (const BackendOption& option : options_of(&request_of_backend)) {
    if (auto* const* word = std::get_if<std::string*>(&option.value))
      backend[option.name] = **word;
    else if (const auto& number = *std::get<std::optional<int>*>(option.value))
      backend[option.name] = *number;
  }
  tell({{"folder", folder},
        {"asset", parse_policy(request.scenario.find("task")->find("policy")->text).file},
        {"threads", options.threads},
        {"shard", {options.shard.index, options.shard.count}},
        {"batch", options.batch},
        {"backend", std::move(backend)}});
  for (;;) {
    const nlohmann::json message = answer(stop);
    if (message.contains("episodes")) {
      if (options.progress) options.progress(message["episodes"]);
      continue;
    }
    wait_for_end();
    return {message.at("made_blocks"), message.at("made_episodes"), message.at("busy_blocks"),
            message.at("stopped")};
  }
}

void PolicyProcess::tell(const nlohmann::json& message) const {
  write_all(input_, line_of(message));
}

nlohmann::json PolicyProcess::answer(const std::atomic<bool>& stop) {
  for (;;) {
    if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
      nlohmann::json message = nlohmann::json::parse(read_.substr(0, end));
      read_.erase(0, end + 1);
      if (!message.contains("error")) return message;
      const std::string text = message["error"];
      if (message.value("bad_input", false)) throw InputError(text);
      throw RuntimeError(text);
    }
    pollfd waited{output_, POLLIN, 0};
    if (stop) close_input();
    if (poll(&waited, 1, kBeat_ms) <= 0) {
      // Processes that the class started may keep its end of the pipe open.
      if (has_ended() && poll(&waited, 1, 0) <= 0) throw_ended();
      continue;
    }
    char bytes[4096];
    const ssize_t n = read(output_, bytes, sizeof(bytes));
    if (n == 0 || (n < 0 && errno != EINTR)) throw_ended();
    if (n > 0) read_.append(bytes, static_cast<std::size_t>(n));
  }
}

bool PolicyProcess::has_ended() const {
  siginfo_t ended{};
  return waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         ended.si_pid == process_;
}

int PolicyProcess::wait_for_end() {
  close_input();
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

void PolicyProcess::throw_ended() {
  const int status = wait_for_end();
  const bool from_outside =
      WIFSIGNALED(status) && std::find(std::begin(kFromOutside), std::end(kFromOutside),
                                       WTERMSIG(status)) != std::end(kFromOutside);
  if (from_outside || (WIFEXITED(status) && WEXITSTATUS(status) == kInterrupted))
    throw Interrupted();
  throw RuntimeError(fmt::format("task.policy = {}: its process was ended by {} {}", policy_,
                                 WIFSIGNALED(status) ? "signal" : "itself, with exit code",
                                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)));
}

void PolicyProcess::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

}  // namespace nodia::cli
