#include "host/solvers/newton/relative_system.hpp"

#include <algorithm>

namespace nodia {

RelativeSystem::RelativeSystem(const ContactProblem& p, const std::vector<double>& weight)
    : problem(p), relative(p, weight), K(relative_matrix(p, relative)), b(p.b) {
  relative.gather(&b);
}

void RelativeSystem::multiply(const std::vector<Vec3d>& x, std::vector<Vec3d>* product) const {
  ++n_product_;
  product->resize(x.size());
  const BlockCsrView<double> view = K.view();
  for (int i = 0; i < n_row(); ++i) (*product)[i] = block_row_product(view, i, x.data());
}

void RelativeSystem::gradient(const std::vector<Vec3d>& y, std::vector<Vec3d>* g) const {
  multiply(y, g);
  for (int i = 0; i < n_row(); ++i) (*g)[i] -= b[i];
}

double dot(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

bool is_finite(const std::vector<Vec3d>& a) {
  return std::all_of(a.begin(), a.end(), [](Vec3d x) { return is_finite(x); });
}

}  // namespace nodia
