/// Products with the matrices of several environments.
#pragma once

#include "kernels/launch/element_kernel.hpp"
#include "kernels/linalg/block_csr.hpp"

namespace nodia {

/// Product of one environment. K must not change meanwhile.
template <class Real>
struct RowProducts {
  BlockCsrView<Real> K;
  const Vec3<Real>* x = nullptr;  ///< [n_row]
  Vec3<Real>* product = nullptr;  ///< [n_row] out
};

/// product := K x; the elements are pairs of rows.
template <class Real>
struct MultiplyRows : ElementKernel<MultiplyRows<Real>, RowProducts<Real>> {
  NODIA_HD static int size(const RowProducts<Real>& rows) { return (rows.K.n_row + 1) / 2; }
  template <class Memory>
  NODIA_HD static void visit(const RowProducts<Real>& rows, int pair, Memory memory) {
    const auto x = [&](std::int32_t j) -> decltype(auto) {
      return memory.read_in_place(rows.x + j);
    };
    const int i = 2 * pair;
    if (i + 1 == rows.K.n_row) {
      memory.write(rows.product + i, block_row_product_of(rows.K, i, x));
      return;
    }
    Vec3<Real> first, second;
    block_row_products_of(rows.K, i, x, &first, &second);
    memory.write(rows.product + i, first);
    memory.write(rows.product + i + 1, second);
  }
};

/// Launches the products of all environments. @param n_row  largest number of rows of an
/// environment
template <class Launcher, class Real>
void launch_row_products(Launcher&& launcher, const RowProducts<Real>* environment, int n_env,
                         int n_row) {
  launch_elements(launcher, "multiply_rows", MultiplyRows<Real>{}, environment, n_env,
                  (n_row + 1) / 2);
}

}  // namespace nodia
