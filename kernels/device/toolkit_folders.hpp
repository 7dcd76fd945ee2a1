/// Where toolkits of CUDA keep their libraries.
#pragma once

#include <string>
#include <vector>

namespace nodia {

/// `lib64` and `lib` of CUDA_HOME, CUDA_PATH and /usr/local/cuda.
std::vector<std::string> toolkit_folders();

}  // namespace nodia
