/// `nodia paper`: the Python module that repeats the papers' tables and figures with the program
/// `nodia`.
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include "tools/benchmarks/verbs.hpp"
#include "tools/command/python.hpp"

namespace nodia::cli {

Action declare_paper(CLI::App& app) {
  pass_all_arguments(app);
  return [&app]() -> int {
    std::error_code error;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
    std::string name = self.filename().string();
    name.replace(0, std::strlen("nodia-studies"), "nodia");
    if (!error) setenv("NODIA_PROGRAM", (self.parent_path() / name).c_str(), 1);
    become_python_module("nodia_tools.paper.command", app.remaining());
  };
}

}  // namespace nodia::cli
