/// Loads cuSPARSE and describes its errors.
#include "kernels/device/cusparse.hpp"

#include <fmt/format.h>

#include <utility>

#include "kernels/core/error.hpp"
#include "kernels/device/toolkit_library.hpp"

namespace nodia {

Cusparse::Cusparse()
    : Cusparse(toolkit_library("cuSPARSE", "NODIA_CUSPARSE",
                               {"libcusparse.so.13", "libcusparse.so.12", "libcusparse.so"})) {}

Cusparse::Cusparse(const std::string& name) : Cusparse(SharedLibrary("cuSPARSE", {name})) {}

Cusparse::Cusparse(SharedLibrary library) : library_(std::move(library)) {
  const auto find = [this](const char* symbol, auto* function) {
    *function = library_.function<std::remove_reference_t<decltype(*function)>>(symbol);
  };
  find("cusparseCreate", &create);
  find("cusparseDestroy", &destroy);
  find("cusparseSetStream", &set_stream);
  find("cusparseCreateDnVec", &create_vector);
  find("cusparseDestroyDnVec", &destroy_vector);
  find("cusparseCreateBsr", &create_bsr);
  find("cusparseCreateSlicedEll", &create_sliced_ell);
  find("cusparseDestroySpMat", &destroy_matrix);
  find("cusparseSpMV_bufferSize", &product_buffer_size);
  find("cusparseSpMV", &product);
  find("cusparseGetErrorString", &error_string_);
}

void Cusparse::check(int status, const char* function, const std::string& what) const {
  if (status == cusparse::kSuccess) return;
  const char* const reason = error_string_(status);
  throw RuntimeError(fmt::format("{} ({}): {}", function, what,
                                 reason != nullptr ? reason : fmt::format("status {}", status)));
}

}  // namespace nodia
