#include "tools/command/python.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "fem/mesh/read_vtk.hpp"
#include "fem/mesh/reader_program.hpp"
#include "kernels/core/error.hpp"
#include "tools/command/build_info.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/replace_process.hpp"

namespace nodia::cli {
namespace {

namespace fs = std::filesystem;

std::string python() {
  if (const char* chosen = std::getenv("NODIA_PYTHON")) return chosen;
  const fs::path own = fs::path(source_directory()) / ".venv/bin/python";
  std::error_code error;
  const bool there = fs::exists(own, error);
  if (error)
    throw RuntimeError(
        fmt::format("{}: cannot be used ({}; set NODIA_PYTHON to a Python with the packages of "
                    "tools/requirements.txt)",
                    own.string(), error.message()));
  return there ? own.string() : "python3";
}

/// Removes empty entries from a list of folders separated by colons. Python reads an empty entry as
/// the working directory.
std::string without_empty_entries(const std::string& folders) {
  std::string kept;
  std::istringstream entries(folders);
  for (std::string entry; std::getline(entries, entry, ':');)
    if (!entry.empty()) kept += (kept.empty() ? "" : ":") + entry;
  return kept;
}

}  // namespace

void pass_all_arguments(CLI::App& app) {
  app.set_help_flag();
  app.prefix_command();
}

void prepare_python() {
  setenv("PYTHONSAFEPATH", "1", 1);
  if (const char* inherited = std::getenv("PYTHONPATH"))
    setenv("PYTHONPATH", without_empty_entries(inherited).c_str(), 1);
  try {
    set_vtk_reader({python(), python_directory()});
  } catch (const RuntimeError&) {  // reported later by the code that needs Python
  }
}

std::string compiled_python_directory() {
  std::error_code error;
  std::vector<fs::path> packages = {python_directory()};
  if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error)
    packages.push_back(program.parent_path().parent_path() / "python");
  for (const fs::path& package : packages)
    for (fs::directory_iterator entry(package / "nodia", error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (name.starts_with("_core.") && name.ends_with(".so")) return package.string();
    }
  return "";
}

void become_python_module(const std::string& module, const std::vector<std::string>& arguments,
                          const std::string& folder) {
  const fs::path package = folder;
  std::string file = module;
  std::replace(file.begin(), file.end(), '.', '/');
  std::error_code error;
  if (!fs::exists(package / (file + ".py"), error))
    throw RuntimeError(fmt::format("Python module {} is missing (looked in {}{})", module,
                                   package.string(), error ? ": " + error.message() : ""));
  const char* inherited = std::getenv("PYTHONPATH");
  const std::string path =
      inherited && *inherited ? package.string() + ":" + inherited : package.string();
  setenv("PYTHONPATH", path.c_str(), 1);
  if (const std::string reader = reader_program(); !reader.empty())
    setenv("NODIA_READ_MESH", reader.c_str(), 1);
  std::vector<std::string> words = {python(), "-P", "-m", "nodia_tools", module};
  words.insert(words.end(), arguments.begin(), arguments.end());
  // Blocks SIGINT until Python can handle it; nodia_tools/__main__.py unblocks it.
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);
  const int failed = replace_process(words);
  throw RuntimeError(
      fmt::format("{}: cannot run Python ({}; run tools/setup.sh, or set NODIA_PYTHON)",
                  words.front(), std::strerror(failed)));
}

void run_python_module(const std::string& module, const std::vector<std::string>& arguments) {
  const pid_t child = fork();
  if (child < 0)
    throw RuntimeError(
        fmt::format("{}: cannot start a process ({})", module, std::strerror(errno)));
  if (child == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);  // standard output is reserved for the verb
    try {
      become_python_module(module, arguments);
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
    }
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kInterrupted) throw Interrupted();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw RuntimeError(fmt::format("{} failed; its message stands above", module));
}

}  // namespace nodia::cli
