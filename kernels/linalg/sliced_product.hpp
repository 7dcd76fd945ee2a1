/// Product with a sliced matrix, without other work.
#pragma once

#include "kernels/launch/kernel.hpp"
#include "kernels/linalg/plane_vector.hpp"

namespace nodia {

template <class Real>
struct SlicedProductView {
  int n_row = 0;  ///< a multiple of kBlockLanes
  SlicedPatternView pattern;
  const Real* value = nullptr;  ///< in difference form if Real is float
  const Real* x = nullptr;      ///< [kNodeStride n_row], vectors of nodes
  Real* y = nullptr;            ///< [3 n_row] out, by component
};

/// y := A x, one row per lane.
template <class Real>
struct MultiplySliced {
  SlicedProductView<Real> product;

  static constexpr int kLeastResidentBlocks = kProductResidentBlocks<Real>;
  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, NoShared&, Memory memory) const {
    using P = Lanes<Real, Isa>;
    const int row = item * kBlockLanes + lane;
    store_planes<P>(product.y, row,
                    sliced_row_product<P, std::is_same_v<Real, float>>(
                        product.pattern, product.value, product.x, row, memory),
                    memory);
  }
};

template <class Launcher, class Real>
void launch_sliced_product(Launcher&& launcher, const SlicedProductView<Real>& product) {
  launcher.launch("multiply_sliced", MultiplySliced<Real>{product}, item_count(product.n_row));
}

}  // namespace nodia
