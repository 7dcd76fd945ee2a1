/// Rows of A, of one environment one after another, padded to whole chunks of kBlockLanes; then its
/// virtual nodes, padded likewise. Padding has no blocks, W = 1 and zeros elsewhere.
#pragma once

#include <type_traits>

#include "kernels/launch/kernel.hpp"
#include "kernels/linalg/plane_vector.hpp"
#include "kernels/vfpi/arrays/group.hpp"
#include "kernels/vfpi/control.hpp"

namespace nodia {

/// Sums that one kernel leaves per chunk, at most.
inline constexpr int kMaxSums = 9;

struct RowCounts {
  std::int32_t n_row = 0;              ///< rows of A
  std::int32_t n_chunk = 0;            ///< chunks of rows and of virtual nodes, padding included
  std::int32_t first_virtual_row = 0;  ///< a multiple of kBlockLanes

  /// n_chunk padded, so that whole blocks can read the chunks' sums; the padding is zero.
  NODIA_HD int partial_stride() const { return item_count(n_chunk) * kBlockLanes; }
};

/// Where an environment begins. Environments of one sparsity pattern and order share its lists.
struct RowOffsets {
  std::int64_t first_row = 0;            ///< a multiple of kBlockLanes
  std::int64_t first_slice_begin = 0;    ///< in slice_begin; may be shared
  std::int64_t first_pattern_block = 0;  ///< in lists of blocks of kSliceRows; may be shared
  std::int64_t first_block = 0;          ///< in values of blocks of kSliceRows
  std::int64_t first_block_of_A = 0;     ///< in A's blocks
  std::int64_t first_partial = 0;
  std::int64_t env = 0;
};

/// The sliced pattern of kernels/linalg/sliced_matrix.hpp.
template <class Space>
struct RowLists {
  template <class T>
  using In = typename Space::template In<T>;

  In<std::int32_t> slice_begin{};
  In<std::int32_t> column{};  ///< counted from the environment's first row, times kNodeStride
  In<std::int32_t> block{};   ///< counted from the environment's first in A; -1: padding

  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    using O = RowOffsets;
    constexpr Written kRows = Written::with_rows;
    f(Field<O>{"slice_begin", kRows, &O::first_slice_begin}, g.slice_begin...);
    f(Field<O>{"column", kRows, &O::first_pattern_block, kSliceRows}, g.column...);
    f(Field<O>{"block", kRows, &O::first_pattern_block, kSliceRows}, g.block...);
  }
};

/// Whether the state is in double over a float increment.
template <class Precision>
inline constexpr bool kHasIncrement =
    !std::is_same_v<typename Precision::Matrix, typename Precision::Real>;

/// Vectors of rows that a product gathers are padded to kNodeStride scalars a row
/// (kernels/launch/memory.hpp); the others lie in planes (kernels/linalg/plane_vector.hpp).
template <class Precision, class Space>
struct RowValues {
  using Real = typename Precision::Real;
  using Matrix = typename Precision::Matrix;
  template <class T>
  using In = typename Space::template In<T>;
  template <class T>
  using Out = typename Space::template Out<T>;

  Out<Matrix> matrix{};  ///< A of the iteration; float: in difference form
  Out<double> exact{};   ///< A in double for the residual, mixed precision only

  // In planes.
  Out<Real> b{};                   ///< [N]
  Out<Real> best{};                ///< v** of the least error so far
  Out<Real> gradient{};            ///< A v - b, where it is needed between kernels
  Out<Real> gradient_before{};     ///< of the last iteration, Barzilai-Borwein only
  Out<Real> reference{};           ///< mixed precision only
  Out<Real> reference_gradient{};  ///< A reference - b, mixed precision only
  Out<Real> power_product{};       ///< A times `power`

  // Gathered by products.
  Out<Real> node[4]{};             ///< v in the roles of VfpiControl; mixed precision: in planes
  Out<Matrix> increment[2]{};      ///< y - reference, mixed precision only
  Out<Real> tested{};              ///< the answer whose residual is measured, mixed precision only
  Out<Matrix> tested_increment{};  ///< tested - reference, mixed precision only
  Out<Real> power{};               ///< vector of the power iteration; kept between solves

  // One value a row.
  Out<Real> w{};              ///< W [s/kg]; kept between solves
  Out<double> w_unguarded{};  ///< before the guard; kept between solves
  In<double> inverse_mass{};  ///< weights of the residual's norm [1/kg]; also where masses changed

  Out<double> partial{};       ///< kMaxSums runs of partial_stride() sums, one a chunk
  Out<VfpiControl> control{};  ///< one

  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    using O = RowOffsets;
    constexpr Written kLoop = Written::by_loop, kRows = Written::with_rows;
    constexpr auto kGradient = &LoopNeeds::gradient;
    constexpr auto kTwo = &LoopNeeds::two_gradients;
    constexpr auto kMixed = &LoopNeeds::increment;
    constexpr std::int64_t kVector = kNodeStride;
    f(Field<O>{"matrix", kLoop, &O::first_block, kSliceBlock}, g.matrix...);
    f(Field<O>{"exact", kLoop, &O::first_block, kSliceBlock, kMixed}, g.exact...);
    f(Field<O>{"b", Written::assembled, &O::first_row, kVector}, g.b...);
    f(Field<O>{"best", kLoop, &O::first_row, kVector}, g.best...);
    f(Field<O>{"gradient", kLoop, &O::first_row, kVector, kGradient}, g.gradient...);
    f(Field<O>{"gradient_before", kLoop, &O::first_row, kVector, kTwo}, g.gradient_before...);
    f(Field<O>{"reference", kLoop, &O::first_row, kVector, kMixed}, g.reference...);
    f(Field<O>{"reference_gradient", kLoop, &O::first_row, kVector, kMixed},
      g.reference_gradient...);
    f(Field<O>{"power_product", kLoop, &O::first_row, kVector}, g.power_product...);
    for (int k = 0; k < 4; ++k)  // the others start as copies of one
      f(Field<O>{"node", k == 0 ? Written::start : kLoop, &O::first_row, kVector}, g.node[k]...);
    for (int k = 0; k < 2; ++k)
      f(Field<O>{"increment", kLoop, &O::first_row, kVector, kMixed}, g.increment[k]...);
    f(Field<O>{"tested", kLoop, &O::first_row, kVector, kMixed}, g.tested...);
    f(Field<O>{"tested_increment", kLoop, &O::first_row, kVector, kMixed}, g.tested_increment...);
    f(Field<O>{"power", kRows, &O::first_row, kVector}, g.power...);
    f(Field<O>{"w", kRows, &O::first_row}, g.w...);
    f(Field<O>{"w_unguarded", kRows, &O::first_row}, g.w_unguarded...);
    f(Field<O>{"inverse_mass", kRows, &O::first_row}, g.inverse_mass...);
    f(Field<O>{"partial", kLoop, &O::first_partial}, g.partial...);
    f(Field<O>{"control", kRows, &O::env}, g.control...);
  }
};

}  // namespace nodia
