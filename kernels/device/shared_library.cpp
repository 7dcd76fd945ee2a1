/// Loads shared libraries.
#include "kernels/device/shared_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "kernels/core/error.hpp"

namespace nodia {

SharedLibrary::SharedLibrary(const char* title, const std::vector<std::string>& names,
                             const std::vector<std::string>& folders)
    : title_(title) {
  std::vector<std::string> tried = names;
  for (const std::string& folder : folders)
    for (const std::string& name : names) tried.push_back(folder + "/" + name);
  std::string broken;
  for (const std::string& path : tried) {
    library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ != nullptr) {
      name_ = path;
      return;
    }
    // The error reports a library that exists and cannot be opened, not missing ones.
    const std::string reason = dlerror();
    if (broken.empty() && !reason.starts_with(path + ": cannot open shared object file"))
      broken = reason;
  }
  if (!broken.empty()) throw RuntimeError(fmt::format("{}: {}", title, broken));
  throw RuntimeError(fmt::format("{} is not here: no {}{}{} (LD_LIBRARY_PATH may name its folder)",
                                 title, fmt::join(names, ", "), folders.empty() ? "" : ", nor in ",
                                 fmt::join(folders, ", ")));
}

void* SharedLibrary::address(const char* symbol) const {
  void* const found = dlsym(library_, symbol);
  if (found == nullptr) throw RuntimeError(fmt::format("{}: {} has no {}", title_, name_, symbol));
  return found;
}

}  // namespace nodia
