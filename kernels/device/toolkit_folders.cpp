#include "kernels/device/toolkit_folders.hpp"

#include <cstdlib>

namespace nodia {

std::vector<std::string> toolkit_folders() {
  std::vector<std::string> toolkits, folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* toolkit = std::getenv(variable); toolkit != nullptr && *toolkit != '\0')
      toolkits.emplace_back(toolkit);
  toolkits.emplace_back("/usr/local/cuda");
  for (const std::string& toolkit : toolkits)
    for (const char* part : {"/lib64", "/lib"}) folders.push_back(toolkit + part);
  return folders;
}

}  // namespace nodia
