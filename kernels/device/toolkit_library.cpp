/// Loads libraries of CUDA's toolkit.
#include "kernels/device/toolkit_library.hpp"

#include <cstdlib>

namespace nodia {
namespace {

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

}  // namespace

SharedLibrary toolkit_library(const char* title, const char* variable,
                              const std::vector<std::string>& names) {
  const char* const named = std::getenv(variable);
  if (named != nullptr && *named != '\0') return {title, {named}};
  return {title, names, toolkit_folders()};
}

}  // namespace nodia
