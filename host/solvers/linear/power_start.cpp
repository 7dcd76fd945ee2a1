#include "host/solvers/linear/power_start.hpp"

namespace nodia {
namespace {

/// Scales these rows to x.Dx = 1, with D the diagonal blocks of K.
void normalise(const BlockMatrix& K, int begin, int end, std::vector<Vec3d>* x) {
  double squared = 0;
  for (int i = begin; i < end; ++i)
    squared += dot((*x)[i], K.block(K.pattern->diagonal[i]) * (*x)[i]);
  if (!(squared > 0) || !std::isfinite(squared)) return;
  const double scale = 1 / std::sqrt(squared);
  for (int i = begin; i < end; ++i) (*x)[i] = scale * (*x)[i];
}

}  // namespace

void start_power_iteration(const BlockMatrix& K, const std::vector<Body>& bodies,
                           std::vector<Vec3d>* x) {
  const auto n = static_cast<std::size_t>(K.n_row());
  if (x->size() != n) {
    x->resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto k = static_cast<std::int64_t>(3 * i);
      const double size = trace(K.block(K.pattern->diagonal[i])) / 3;
      const double scale = size > 0 ? 1 / std::sqrt(size) : 1;
      (*x)[i] = scale * Vec3d{power_start(k), power_start(k + 1), power_start(k + 2)};
    }
  }
  for (const Body& body : bodies) normalise(K, body.first_row, body.first_row + body.n_row, x);
  if (bodies.empty()) normalise(K, 0, K.n_row(), x);
}

}  // namespace nodia
