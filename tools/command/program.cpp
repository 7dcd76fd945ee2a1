#include "tools/command/program.hpp"

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
#include "tools/command/build_info.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/python.hpp"

namespace nodia::cli {
namespace {

/// Prints a message as one line on standard error, without control characters.
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
bool is_unknown_verb(const char* word, std::span<const Verb> verbs) {
  return word[0] != '-' && std::none_of(verbs.begin(), verbs.end(), [&](const Verb& verb) {
           return verb.name == std::string(word);
         });
}

/// Message for an argument that no option takes, with the most similar option.
std::string unexpected_argument(const CLI::App& verb, const std::string& argument) {
  if (argument[0] != '-')
    return fmt::format("{} (unexpected argument; see nodia {} --help)", argument, verb.get_name());
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    if (option->nonpositional()) names.push_back(option->get_name());
  return fmt::format("{} (unknown option; did you mean {}? see nodia {} --help)", argument,
                     nearest_name(argument, names), verb.get_name());
}

/// `help` means --help, and `help VERB` means VERB --help.
std::vector<const char*> with_help_option(int argc, char** argv) {
  std::vector<const char*> words(argv, argv + argc);
  if (argc >= 2 && std::string(words[1]) == "help") {
    words.erase(words.begin() + 1);
    words.push_back("--help");
  }
  return words;
}

/// True for an option of the command itself that it does not have.
bool is_unknown_option(const std::string& word, const std::vector<std::string>& options) {
  return word[0] == '-' && std::find(options.begin(), options.end(), word) == options.end();
}

int run_verb(const std::vector<const char*>& words, std::span<const Verb> verbs) {
  CLI::App app("nodia: soft bodies in contact with exact Coulomb friction", "nodia");
  app.set_version_flag("--version", fmt::format("nodia {} ({})", kVersion, kCommit));
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 success, 1 the run failed, 2 bad usage or input, 130 interrupted.\n"
      "`nodia VERB --help` lists the options of a verb.\n");
  std::vector<std::pair<CLI::App*, Action>> actions;
  std::vector<std::string> names;
  for (const Verb& verb : verbs) {
    CLI::App* sub = app.add_subcommand(verb.name, verb.description);
    if (verb.examples) sub->footer(fmt::format("Examples:\n{}", verb.examples));
    actions.emplace_back(sub, verb.declare(*sub));
    names.emplace_back(verb.name);
  }
  if (words.size() < 2) return usage_error("a verb is missing (nodia --help lists them)");
  const std::vector<std::string> own_options = {"--help", "-h", "--version"};
  if (is_unknown_option(words[1], own_options))
    return usage_error(fmt::format("{} (unknown option; did you mean {}? nodia --help lists all)",
                                   words[1], nearest_name(words[1], own_options)));
  if (is_unknown_verb(words[1], verbs))
    return usage_error(fmt::format("unknown verb {} (did you mean {}? nodia --help lists all)",
                                   words[1], nearest_name(words[1], names)));
  try {
    app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::ExtrasError& error) {
    const std::vector<std::string> extras = app.remaining(true);
    const std::vector<CLI::App*> parsed = app.get_subcommands();
    if (extras.empty() || parsed.empty()) return usage_error(error.what());
    return usage_error(unexpected_argument(*parsed.front(), extras.front()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return usage_error(fmt::format("{} (see nodia {} --help)", error.what(), words[1]));
  }
  for (const auto& [sub, action] : actions)
    if (sub->parsed()) return action();
  return usage_error("a verb is missing (nodia --help lists them)");
}

std::terminate_handler default_handler = nullptr;
bool main_has_begun = false;

/// Installs the handler that reports exhausted memory. It runs before the constructors of all
/// static objects, including those of libraries. No code can catch an exception in these
/// constructors and in noexcept functions.
[[gnu::constructor(101)]] void report_exhausted_memory_always() {
  default_handler = std::set_terminate([] {
    const std::type_info* thrown = abi::__cxa_current_exception_type();
    if (main_has_begun && (thrown == nullptr || *thrown != typeid(std::bad_alloc)))
      default_handler();
    constexpr char kLine[] = "nodia: error: out of memory\n";
    const auto ignored = write(STDERR_FILENO, kLine, sizeof(kLine) - 1);
    static_cast<void>(ignored);
    _exit(kFailed);
  });
}

/// Occupies descriptors 0 to 2 if the caller closed them. Otherwise a file that the program opens
/// could get one of these numbers, and output would be written into it.
void hold_standard_descriptors() {
  int descriptor = 0;
  do descriptor = open("/dev/null", O_RDONLY);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO);
  if (descriptor >= 0) close(descriptor);
}

/// Flushes standard output. If this fails, the process reports the error and fails. If the reader
/// of a pipe has closed it, the process ends by SIGPIPE. It does so only here, because all files
/// are closed now.
int finish_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  if (errno == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  report_error(fmt::format("standard output: cannot be written ({})", std::strerror(errno)));
  return kFailed;
}

int run_safely(int argc, char** argv, std::span<const Verb> verbs) {
  try {
    return run_verb(with_help_option(argc, argv), verbs);
  } catch (const InputError& error) {
    return usage_error(error.what());
  } catch (const Interrupted&) {
    return kInterrupted;
  } catch (const std::bad_alloc&) {
    report_error("out of memory");
  } catch (const std::exception& error) {
    if (std::ferror(stdout) == 0)
      report_error(error.what());  // otherwise finish_output() reports it
  }
  return kFailed;
}

}  // namespace

int run_program(int argc, char** argv, std::span<const Verb> verbs) {
  main_has_begun = true;
  hold_standard_descriptors();
  // A write that exceeds the file size limit, or to a closed pipe, then fails with an error code,
  // and the program reports it.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  spdlog::set_default_logger(spdlog::stderr_color_st("nodia"));
  spdlog::set_pattern("nodia: %^%l%$: %v");
  prepare_python();
  return finish_output(run_safely(argc, argv, verbs));
}

}  // namespace nodia::cli
