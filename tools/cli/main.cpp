/// The nodia command: one binary, verbs.
#include <cxxabi.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "tools/cli/build_info.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/verb.hpp"

namespace nodia::cli {
namespace {

struct Verb {
  const char* name;
  const char* description;
  Declare declare;
};

constexpr Verb kVerbs[] = {
    {"run", "simulate a scenario and write a run directory", declare_run},
    {"compare", "the same steps with every solver: cost and true error", declare_compare},
    {"scale", "cost against node count: table, CSV and plot", declare_scale},
    {"solve", "problems from files, of Siconos, fclib and nodia, by any solver", declare_solve},
    {"bench", "cost of kernels and of whole steps: table, CSV and plot", declare_bench},
    {"study", "curves of the papers on impulse-level solvers, as tables", declare_study},
    {"verify", "whether the files of a run are whole", declare_verify},
    {"generate", "a dataset: thousands of episodes of a scenario's task", declare_generate},
    {"dataset", "what a dataset holds, every sum checked", declare_dataset},
    {"replay", "an episode of a dataset again, bit for bit", declare_replay},
    {"view", "browser viewer of a run directory", declare_view},
    {"render", "PNG and MP4 of a run directory, without a screen", declare_render},
    {"export", "a dataset in the format of LeRobot or robomimic", declare_export},
    {"paper", "the papers' tables and figures made again, beside the printed values",
     declare_paper},
    {"info", "build, backends, devices, solvers, versions", declare_info},
};

/// One line, whatever the arguments and files in the message contain.
void report_error(const std::string& message) {
  std::string line = message;
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  spdlog::error("{}", line);
}

int usage_error(const std::string& message) {
  report_error(message);
  return kBadInput;
}

/// The first argument is a verb unless it is an option of the command itself.
bool unknown_verb(const char* word) {
  for (const Verb& verb : kVerbs)
    if (verb.name == std::string(word)) return false;
  return word[0] != '-';
}

int run_command(int argc, char** argv) {
  CLI::App app("nodia: soft bodies in contact with exact Coulomb friction", "nodia");
  app.set_version_flag("--version", fmt::format("nodia {} ({})", kVersion, kCommit));
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 good, 1 the run failed, 2 bad usage or input, 130 interrupted.\n"
      "`nodia VERB --help` lists the options of a verb.\n");
  std::vector<std::pair<CLI::App*, Action>> actions;
  std::vector<std::string> names;
  for (const Verb& verb : kVerbs) {
    CLI::App* sub = app.add_subcommand(verb.name, verb.description);
    actions.emplace_back(sub, verb.declare(*sub));
    names.emplace_back(verb.name);
  }
  if (argc < 2) return usage_error("a verb is missing (nodia --help lists them)");
  if (unknown_verb(argv[1]))
    return usage_error(fmt::format("unknown verb {} (did you mean {}? nodia --help lists all)",
                                   argv[1], nearest_name(argv[1], names)));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return usage_error(fmt::format("{} (see nodia {} --help)", error.what(), argv[1]));
  }
  for (const auto& [sub, action] : actions)
    if (sub->parsed()) return action();
  return usage_error("a verb is missing (nodia --help lists them)");
}

std::terminate_handler usual_end = nullptr;
bool main_has_begun = false;

/// From before static objects are made, those of libraries too: no memory is a line where it cannot
/// be caught either, there and in what must not throw.
[[gnu::constructor(101)]] void tell_no_memory_always() {
  usual_end = std::set_terminate([] {
    const std::type_info* thrown = abi::__cxa_current_exception_type();
    if (main_has_begun && (thrown == nullptr || *thrown != typeid(std::bad_alloc))) usual_end();
    constexpr char kLine[] = "nodia: error: out of memory\n";
    const auto ignored = write(STDERR_FILENO, kLine, sizeof(kLine) - 1);
    static_cast<void>(ignored);
    _exit(kFailed);
  });
}

/// Descriptors 0 to 2 are taken, by what refuses where they were closed: no file of ours gets their
/// numbers, and with them what is printed.
void hold_standard_descriptors() {
  int descriptor = 0;
  do descriptor = open("/dev/null", O_RDONLY);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor >= 0) close(descriptor);
}

/// What was printed has arrived, or the process says so and fails. A reader that has gone ends it
/// as SIGPIPE does, but only here, where all files are closed.
int finish_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  if (errno == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  report_error(fmt::format("standard output: cannot be written ({})", std::strerror(errno)));
  return kFailed;
}

int run_safely(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (const InputError& error) {
    return usage_error(error.what());
  } catch (const Interrupted&) {
    return kInterrupted;
  } catch (const std::bad_alloc&) {
    report_error("out of memory");
  } catch (const std::exception& error) {
    if (std::ferror(stdout) == 0) report_error(error.what());  // otherwise finish_output() tells
  }
  return kFailed;
}

}  // namespace
}  // namespace nodia::cli

int main(int argc, char** argv) {
  nodia::cli::main_has_begun = true;
  nodia::cli::hold_standard_descriptors();
  // A write beyond the limit of file sizes, or to a reader that has gone, then fails like one to a
  // full disk, and is told.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  spdlog::set_default_logger(spdlog::stderr_color_st("nodia"));
  spdlog::set_pattern("nodia: %^%l%$: %v");
  return nodia::cli::finish_output(nodia::cli::run_safely(argc, argv));
}
