/// A library that is opened when a program asks for it: nothing links it, and it may be absent.
#pragma once

#include <string>
#include <vector>

namespace nodia {

/// Stays open until the program ends, as libraries with a state of the process's device must.
class SharedLibrary {
 public:
  /// Opens the first that opens.
  /// @param title    in errors
  /// @param names    as the system's linker finds them, or paths
  /// @param folders  where the names are looked for after that
  /// @throws RuntimeError saying what was tried and why none opens
  SharedLibrary(const char* title, const std::vector<std::string>& names,
                const std::vector<std::string>& folders = {});

  const std::string& name() const { return name_; }

  /// @tparam Function  pointer to it
  /// @throws RuntimeError where the library has no such function
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
