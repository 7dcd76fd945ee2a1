/// Products with the matrices of environments side by side.
#pragma once

#include "kernels/launch/element_kernel.hpp"
#include "kernels/linalg/block_csr.hpp"

namespace nodia {

/// One environment's; K is not written meanwhile.
struct RowProducts {
  BlockCsrView<double> K;
  const Vec3d* x = nullptr;  ///< [n_row]
  Vec3d* product = nullptr;  ///< [n_row] out
};

/// product := K x
struct MultiplyRows : ElementKernel<MultiplyRows, RowProducts> {
  NODIA_HD static int size(const RowProducts& rows) { return rows.K.n_row; }
  template <class Memory>
  NODIA_HD static void visit(const RowProducts& rows, int i, Memory memory) {
    memory.write(rows.product + i, block_row_product_of(rows.K, i, [&](std::int32_t j) {
                   return memory.read(rows.x + j);
                 }));
  }
};

/// @param n_row  the most that an environment has
template <class Launcher>
void launch_row_products(Launcher&& launcher, const RowProducts* environment, int n_env,
                         int n_row) {
  launch_elements(launcher, "multiply_rows", MultiplyRows{}, environment, n_env, n_row);
}

}  // namespace nodia
