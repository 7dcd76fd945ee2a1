/// `nodia scale`, `nodia bench`, `nodia study` and `nodia paper` start the program nodia-studies.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "kernels/core/error.hpp"
#include "tools/cli/verbs.hpp"
#include "tools/command/python.hpp"
#include "tools/command/replace_process.hpp"

namespace nodia::cli {
namespace {

namespace fs = std::filesystem;

/// Path of nodia-studies, which is in the folder of this program.
fs::path studies_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path() / "nodia-studies";
}

[[noreturn]] void become_studies(const std::string& verb,
                                 const std::vector<std::string>& arguments) {
  const fs::path program = studies_program();
  std::vector<std::string> words = {program.string(), verb};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const int error = replace_process(std::move(words));
  if (error == ENOENT)
    throw InputError(
        fmt::format("{} is a verb of nodia-studies, which this build lacks (from a clone, build it "
                    "with: tools/build.sh nodia-studies)",
                    verb));
  throw RuntimeError(
      fmt::format("{}: cannot be started ({})", program.string(), std::strerror(error)));
}

Action declare_verb_of_studies(CLI::App& app, const std::string& verb) {
  pass_all_arguments(app);
  return [&app, verb]() -> int { become_studies(verb, app.remaining()); };
}

}  // namespace

Action declare_scale(CLI::App& app) {
  return declare_verb_of_studies(app, "scale");
}
Action declare_bench(CLI::App& app) {
  return declare_verb_of_studies(app, "bench");
}
Action declare_study(CLI::App& app) {
  return declare_verb_of_studies(app, "study");
}
Action declare_paper(CLI::App& app) {
  return declare_verb_of_studies(app, "paper");
}

}  // namespace nodia::cli
