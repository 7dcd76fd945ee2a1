/// The project's Python modules, reached from the command.
#pragma once

#include <string>
#include <vector>

#include "tools/command/build_info.hpp"
#include "tools/command/verb.hpp"

namespace nodia::cli {

/// Passes all arguments behind the verb, `--help` included, to another program: app.remaining().
void pass_all_arguments(CLI::App& app);

/// Prepares the Python processes that this process may start. They import no module from the
/// working directory, which may hold the files of a stranger; set_vtk_reader() gets the Python and
/// the folder of its modules.
void prepare_python();

/// Folder of the package whose compiled part is there: where it is installed, or built beside this
/// program; empty where there is none.
std::string compiled_python_directory();

/// Becomes the `main()` of a module with arguments; comes back only by an exception.
/// Python is NODIA_PYTHON, else the project's virtual environment, else the system's.
/// @param package  folder that holds the module
/// @throws RuntimeError where the module or Python is missing
[[noreturn]] void become_python_module(const std::string& module,
                                       const std::vector<std::string>& arguments,
                                       const std::string& package = python_directory());

/// Runs it to its end; what it prints goes to standard error.
/// @throws RuntimeError as above, or where it fails; Interrupted where that ended it
void run_python_module(const std::string& module, const std::vector<std::string>& arguments);

}  // namespace nodia::cli
