/// `nodia view`, `nodia render` and `nodia export`: verbs that are Python modules.
#include <fmt/format.h>

#include <filesystem>

#include "host/io/run_files.hpp"
#include "host/io/vtkhdf.hpp"
#include "host/problem/survives_in_child.hpp"
#include "kernels/core/error.hpp"
#include "tools/cli/verbs.hpp"
#include "tools/command/python.hpp"

namespace nodia::cli {
namespace {

namespace fs = std::filesystem;

void check_run_directory(const std::string& verb, const std::vector<std::string>& arguments) {
  if (arguments.empty())
    throw InputError(
        fmt::format("a run directory is missing (nodia {} DIR; nodia {} --help)", verb, verb));
  const std::string& folder = arguments.front();
  if (folder.rfind('-', 0) == 0) return;
  if (!fs::exists(folder))
    throw InputError(fmt::format(
        "{}: no such run directory (nodia run SCENARIO --out {} writes one)", folder, folder));
  if (!fs::is_directory(folder))
    throw InputError(fmt::format("{}: a file (must be a run directory)", folder));
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    // Reading a damaged file can crash a process, so a child process reads the file before Python
    // does.
    const std::string path = entry.path().string();
    if (is_run_file(entry.path().filename().string()) && path.ends_with(".vtkhdf") &&
        entry.is_regular_file() && !survives_in_child([&] { const VtkhdfReader reader(path); }))
      throw InputError(fmt::format("{}: damaged (HDF5 crashes on it)", path));
  }
}

Action declare_python(CLI::App& app, const std::string& verb) {
  pass_all_arguments(app);
  return [&app, verb]() -> int {
    const std::vector<std::string> arguments = app.remaining();
    check_run_directory(verb, arguments);
    become_python_module("nodia_tools." + verb, arguments);
  };
}

}  // namespace

Action declare_view(CLI::App& app) {
  return declare_python(app, "view");
}
Action declare_render(CLI::App& app) {
  return declare_python(app, "render");
}
Action declare_export(CLI::App& app) {
  pass_all_arguments(app);
  return [&app]() -> int { become_python_module("nodia_tools.export.command", app.remaining()); };
}

}  // namespace nodia::cli
