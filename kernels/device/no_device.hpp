/// The error of a build without a CUDA side.
#pragma once

#include <string>

namespace nodia {

/// Throws RuntimeError `what: this build lacks CUDA (...)`.
[[noreturn]] void throw_no_device(const std::string& what);

}  // namespace nodia
