#include "host/solvers/multigrid/device_matrix.hpp"

namespace nodia {

namespace {
constexpr const char* kNewtonStep = "a Newton step";
}  // namespace

DeviceMatrix::DeviceMatrix(const DevicePlace& place)
    : device_(place.device), launcher_(resolve(place.loop).launcher) {
  on_device(kNewtonStep, [&] { stream_.emplace(kNewtonStep); });
}

void DeviceMatrix::set(const BlockMatrix& K) {
  on_device(kNewtonStep, [&] {
    if (pattern_ == nullptr || (pattern_ != K.pattern && *pattern_ != *K.pattern)) {
      pattern_ = nullptr;
      ++version_;
      row_begin_.assign(K.pattern->row_begin, stream());
      column_.assign(K.pattern->column, stream());
      diagonal_.assign(K.pattern->diagonal, stream());
    }
    pattern_ = K.pattern;
    value_.assign(K.value, stream());
  });
}

BlockCsrView<double> DeviceMatrix::view() const {
  return {pattern_->n_row(), row_begin_.data(), column_.data(), value_.data()};
}

}  // namespace nodia
