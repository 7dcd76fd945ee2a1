/// Error of a build without CUDA.
#pragma once

#include <string>

namespace nodia {

/// Throws RuntimeError `what: this build lacks CUDA (...)`.
[[noreturn]] void throw_no_device(const std::string& what);

}  // namespace nodia
