/// The project's Python modules, reached from the command.
#pragma once

#include <string>
#include <vector>

namespace nodia::cli {

/// Becomes the `main()` of a module with arguments; comes back only by an exception.
/// Python is NODIA_PYTHON, else the project's virtual environment, else the system's.
/// @throws RuntimeError where the module or Python is missing
[[noreturn]] void become_python_module(const std::string& module,
                                       const std::vector<std::string>& arguments);

/// Runs it to its end; what it prints goes to standard error.
/// @throws RuntimeError as above, or where it fails; Interrupted where that ended it
void run_python_module(const std::string& module, const std::vector<std::string>& arguments);

}  // namespace nodia::cli
