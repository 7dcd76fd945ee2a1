/// Finds the shared libraries of CUDA's toolkit.
#pragma once

#include <string>
#include <vector>

#include "kernels/device/shared_library.hpp"

namespace nodia {

/// Loads the file that an environment variable names; without it the first of the names that is
/// found, by the loader or in `lib64` and `lib` of CUDA_HOME, CUDA_PATH and /usr/local/cuda.
/// @param title  The library in error messages.
/// @throws RuntimeError  No file can be loaded.
SharedLibrary toolkit_library(const char* title, const char* variable,
                              const std::vector<std::string>& names);

}  // namespace nodia
