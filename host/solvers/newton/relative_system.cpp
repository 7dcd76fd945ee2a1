#include "host/solvers/newton/relative_system.hpp"

#include "host/base/threads.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/linalg/row_products.hpp"

namespace nodia {

RelativeSystem::RelativeSystem(const ContactProblem& p, const std::vector<double>& weight,
                               int threads)
    : problem(p),
      relative(p, weight),
      transformed(relative_matrix(p, relative)),
      K(transformed ? *transformed : p.A),
      b(p.b),
      n_thread_(thread_count(threads, p.n_node())) {
  relative.gather(&b);
}

void RelativeSystem::multiply(const std::vector<Vec3d>& x, std::vector<Vec3d>* product) const {
  ++n_product_;
  product->resize(x.size());
  const RowProducts<double> rows{K.view(), x.data(), product->data()};
  launch_row_products(CpuLauncher(isa_, n_thread_), &rows, 1, n_row());
}

void RelativeSystem::gradient(const std::vector<Vec3d>& y, std::vector<Vec3d>* g) const {
  multiply(y, g);
  for (int i = 0; i < n_row(); ++i) (*g)[i] -= b[i];
}

}  // namespace nodia
