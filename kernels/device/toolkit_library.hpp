/// Function that loads the shared libraries of CUDA's toolkit.
#pragma once

#include <string>
#include <vector>

#include "kernels/device/shared_library.hpp"

namespace nodia {

/// Loads the file that an environment variable names. If it is not set, loads the first of the
/// names that the loader finds, or that is in `lib64` or `lib` of CUDA_HOME, CUDA_PATH and
/// /usr/local/cuda.
/// @param title  name of the library in errors
/// @throws RuntimeError if no file can be loaded
SharedLibrary toolkit_library(const char* title, const char* variable,
                              const std::vector<std::string>& names);

}  // namespace nodia
