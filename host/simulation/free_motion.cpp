#include "host/simulation/free_motion.hpp"

#include <Eigen/Dense>

#include "kernels/cpu/chunk_sum.hpp"
#include "kernels/cpu/over_items.hpp"
#include "kernels/step/free_velocity.hpp"

namespace nodia {
namespace {

Mat3d block_at(const double* value, std::int32_t k) {
  return load_block(value + 9 * static_cast<std::ptrdiff_t>(k));
}

}  // namespace

/// Adds A_ii^-1 r_i for the rows i in [first, first + n_row). Some blocks may not be stored.
/// @tparam kSize  3 n_row, or Eigen::Dynamic
template <int kSize>
void FreeMotion::add_block(const BlockPattern& pattern, const double* A_value, std::int32_t first,
                           std::int32_t n_row) {
  using Matrix = Eigen::Matrix<double, kSize, kSize>;
  using Vector = Eigen::Matrix<double, kSize, 1>;
  Matrix A = Matrix::Zero(3 * n_row, 3 * n_row);
  Vector r(3 * n_row);
  for (std::int32_t i = 0; i < n_row; ++i) {
    for (int axis = 0; axis < 3; ++axis) r[3 * i + axis] = r_[first + i][axis];
    for (std::int32_t k = pattern.row_begin[first + i]; k < pattern.row_begin[first + i + 1]; ++k) {
      const std::int32_t j = pattern.column[k] - first;
      if (j < 0 || j >= n_row) continue;
      const Mat3d block = block_at(A_value, k);
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
          A(3 * i + row, 3 * j + column) = block(row, column);
    }
  }
  const Vector change = A.ldlt().solve(r);
  for (std::int32_t i = 0; i < n_row; ++i)
    v_[first + i] += Vec3d{change[3 * i], change[3 * i + 1], change[3 * i + 2]};
}

void FreeMotion::fall(const BodySystem& system, const State& state,
                      const ExternalForces& external_forces) {
  v_ = state.v;
  system.fall(v_.data());
  external_forces.fall(v_.data());
}

void FreeMotion::update(const BodySystem& system, const State& state,
                        const ExternalForces& external_forces, int n_thread, const double* A_value,
                        const Vec3d* b) {
  const BlockPattern& pattern = *system.pattern();
  fall(system, state, external_forces);
  set_residual(pattern, n_thread, A_value, b);
  for (const Body& body : system.topology()->bodies) {
    const std::int32_t first = body.first_row, end = body.first_row + body.n_row;
    if (body.kind == BodyKind::soft) {
      const Vec3d shift = translation(pattern, A_value, first, end, 1, n_thread);
      for_items(body.n_row, n_thread, [&](int i) {
        const std::int32_t row = first + i;
        v_[row] += shift + own_share(block_at(A_value, pattern.diagonal[row]), r_[row]);
      });
    } else if (body.kind == BodyKind::robot) {
      add_block<Eigen::Dynamic>(pattern, A_value, first, body.n_row);
    } else {
      const Vec3d shift = body.kind == BodyKind::chain
                              ? translation(pattern, A_value, first, end, kLinkRows, 1)
                              : Vec3d{};
      for (std::int32_t row = first; row < end; row += kLinkRows) {
        v_[row] += shift;
        add_block<3 * kLinkRows>(pattern, A_value, row, kLinkRows);
      }
    }
  }
}

/// r = b - A u.
void FreeMotion::set_residual(const BlockPattern& pattern, int n_thread, const double* A_value,
                              const Vec3d* b) {
  const BlockCsrView<double> A{pattern.n_row(), pattern.row_begin.data(), pattern.column.data(),
                               A_value};
  r_.resize(v_.size());
  for_items(pattern.n_row(), n_thread,
            [&](int i) { r_[i] = b[i] - block_row_product(A, i, v_.data()); });
}

/// Velocity change of the rows first, first + stride, ... below end, which move as one body: sum of
/// their residuals over the sum of the mean diagonals of the blocks between them.
Vec3d FreeMotion::translation(const BlockPattern& pattern, const double* A_value,
                              std::int32_t first, std::int32_t end, std::int32_t stride,
                              int n_thread) const {
  const auto add = [&](std::int32_t i, TranslationSum* all) {
    const std::int32_t row = first + i * stride;
    all->force += r_[row];
    for (std::int32_t k = pattern.row_begin[row]; k < pattern.row_begin[row + 1]; ++k) {
      const std::int32_t column = pattern.column[k];
      if (column < first || column >= end || (column - first) % stride != 0) continue;
      const double* value = A_value + 9 * static_cast<std::ptrdiff_t>(k);
      all->add_block(value[0], value[4], value[8]);
    }
  };
  return chunk_sum((end - first + stride - 1) / stride, n_thread, TranslationSum{}, add).velocity();
}

}  // namespace nodia
