/// Shared library that is loaded at run time and may be absent.
#pragma once

#include <string>
#include <vector>

namespace nodia {

/// Open library. It stays open until the program ends, because it may have device state.
class SharedLibrary {
 public:
  /// Opens the first library that can be opened.
  /// @param title    name in errors
  /// @param names    names for the system's loader, or paths
  /// @param folders  folders that are searched after that
  /// @throws RuntimeError with all attempts and their reasons
  SharedLibrary(const char* title, const std::vector<std::string>& names,
                const std::vector<std::string>& folders = {});

  const std::string& name() const { return name_; }

  /// Returns a function of the library. @tparam Function  pointer type
  /// @throws RuntimeError if the library has no such function
  template <class Function>
  Function function(const char* symbol) const {
    return reinterpret_cast<Function>(address(symbol));
  }

 private:
  void* address(const char* symbol) const;

  const char* title_;
  std::string name_;
  void* library_ = nullptr;
};

}  // namespace nodia
