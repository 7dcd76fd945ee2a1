/// Runs the project's Python modules.
#pragma once

#include <string>
#include <vector>

#include "tools/command/build_info.hpp"
#include "tools/command/verb.hpp"

namespace nodia::cli {

/// Makes all arguments after the verb, including `--help`, available as app.remaining(), for
/// another program.
void pass_all_arguments(CLI::App& app);

/// Prepares the Python processes that this process may start. They import no modules from the
/// working directory, because its files may be from an untrusted source. set_vtk_reader() gets the
/// Python program and the folder of its modules.
void prepare_python();

/// Folder that contains the Python package with its compiled part: the installed one, or that of
/// the build of this program. Empty if there is none.
std::string compiled_python_directory();

/// Replaces this process by the `main()` of a Python module. Returns only by an exception.
/// Python is NODIA_PYTHON, else that of the project's virtual environment, else that of the system.
/// @param package  folder that contains the module
/// @throws RuntimeError if the module or Python is missing
[[noreturn]] void become_python_module(const std::string& module,
                                       const std::vector<std::string>& arguments,
                                       const std::string& package = python_directory());

/// Runs a Python module and waits for its end. Its output is written to standard error.
/// @throws RuntimeError like become_python_module(), or if the module fails; Interrupted if an
///         interrupt ended it
void run_python_module(const std::string& module, const std::vector<std::string>& arguments);

}  // namespace nodia::cli
