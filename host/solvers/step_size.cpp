#include "host/solvers/step_size.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/core/launch.hpp"

namespace nodia {
namespace {

/// Sum of squares, or largest absolute row sum, of the three rows of one node.
struct RowNorms {
  double trace = 0, squares = 0, largest_sum = 0;
};

RowNorms row_norms(const BlockMatrix& A, int i) {
  RowNorms norms;
  Vec3d sums{};
  const BlockPattern& p = *A.pattern;
  for (int k = p.row_begin[i]; k < p.row_begin[i + 1]; ++k) {
    const double* a = A.value.data() + 9 * static_cast<std::size_t>(k);
    for (int e = 0; e < 9; ++e) norms.squares += a[e] * a[e];
    for (int c = 0; c < 3; ++c)
      sums += Vec3d{std::fabs(a[3 * c]), std::fabs(a[3 * c + 1]), std::fabs(a[3 * c + 2])};
  }
  const double* d = A.value.data() + 9 * static_cast<std::size_t>(p.diagonal[i]);
  norms.trace = d[0] + d[4] + d[8];
  norms.largest_sum = std::max({sums.x, sums.y, sums.z});
  return norms;
}

/// A number in (-1, 1) that depends on `i` alone (splitmix64).
double pseudo_random(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1.0p-52 - 1.0;
}

}  // namespace

void fill_step_size(const BlockMatrix& A, RowRange rows, WKind kind, int n_thread, double* w) {
  launch(
      rows.size(),
      [&](int k) {
        const int i = rows.begin + k;
        const RowNorms norms = row_norms(A, i);
        switch (kind) {
          case WKind::frobenius:
            w[i] = norms.trace / norms.squares;
            break;
          case WKind::alpha_identity:
            w[i] = 1;
            break;
          case WKind::inf_norm:
            w[i] = 1 / norms.largest_sum;
            break;
          case WKind::bb1:
          case WKind::bb2:
          case WKind::bb_alternating:
            w[i] = 3 / norms.trace;
            break;
        }
      },
      n_thread);
}

void fill_power_start(RowRange rows, Vec3d* x) {
  for (int k = 0; k < rows.size(); ++k) {
    const auto seed = 3ULL * static_cast<std::uint64_t>(k);
    x[rows.begin + k] = {pseudo_random(seed), pseudo_random(seed + 1), pseudo_random(seed + 2)};
  }
}

double estimate_lambda_max(const BlockMatrix& A, RowRange rows, const double* w, int iterations,
                           int n_thread, Vec3d* x, Vec3d* workspace) {
  const int n = rows.size(), begin = rows.begin;
  const BlockCsrView<double> view = A.view();
  std::vector<double> partial(chunk_count(n));
  double lambda = 0;
  for (int it = 0; it < iterations; ++it) {
    launch(
        n, [&](int k) { workspace[begin + k] = block_row_product(view, begin + k, x); }, n_thread);
    const double x_Ax = ordered_sum(
        n, [&](int k) { return dot(x[begin + k], workspace[begin + k]); }, partial.data(),
        n_thread);
    const double x_Winv_x = ordered_sum(
        n, [&](int k) { return squared_norm(x[begin + k]) / w[begin + k]; }, partial.data(),
        n_thread);
    if (!(x_Winv_x > 0)) return lambda;
    lambda = std::max(lambda, x_Ax / x_Winv_x);
    const double scale = 1 / std::sqrt(x_Winv_x);
    launch(
        n, [&](int k) { x[begin + k] = (scale * w[begin + k]) * workspace[begin + k]; }, n_thread);
  }
  return lambda;
}

}  // namespace nodia
