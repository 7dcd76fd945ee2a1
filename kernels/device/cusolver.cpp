/// Loads cuSOLVER and describes its errors.
#include "kernels/device/cusolver.hpp"

#include <fmt/format.h>

#include <utility>

#include "kernels/core/error.hpp"
#include "kernels/device/toolkit_library.hpp"

namespace nodia {
namespace {

/// Describes a cusolverStatus_t; cuSOLVER has no function for that.
const char* reason_of(int status) {
  switch (status) {
    case 1:
      return "not initialised";
    case 2:
      return "no room";
    case 3:
      return "a bad argument";
    case 4:
      return "not for this device";
    case 6:
      return "a kernel failed";
    case 8:
      return "not for this kind of matrix";
    default:
      return nullptr;
  }
}

}  // namespace

Cusolver::Cusolver()
    : Cusolver(toolkit_library("cuSOLVER", "NODIA_CUSOLVER",
                               {"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"})) {}

Cusolver::Cusolver(const std::string& name) : Cusolver(SharedLibrary("cuSOLVER", {name})) {}

Cusolver::Cusolver(SharedLibrary library) : library_(std::move(library)) {
  const auto find = [this](const char* symbol, auto* function) {
    *function = library_.function<std::remove_reference_t<decltype(*function)>>(symbol);
  };
  find("cusolverSpCreate", &create);
  find("cusolverSpDestroy", &destroy);
  find("cusolverSpSetStream", &set_stream);
  find("cusparseCreateMatDescr", &create_matrix);
  find("cusparseDestroyMatDescr", &destroy_matrix);
  find("cusolverSpDcsrlsvchol", &solve_by_cholesky);
}

void Cusolver::check(int status, const char* function, const std::string& what) const {
  if (status == cusolver::kSuccess) return;
  const char* const reason = reason_of(status);
  throw RuntimeError(fmt::format("{} ({}): {}", function, what,
                                 reason != nullptr ? reason : fmt::format("status {}", status)));
}

}  // namespace nodia
