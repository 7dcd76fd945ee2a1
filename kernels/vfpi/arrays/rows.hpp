/// Row arrays of the loop: the rows of A and the contact nodes of one environment after another,
/// each padded to whole chunks of kBlockLanes. Padding has no blocks, W = 1 and zeros elsewhere.
#pragma once

#include <type_traits>

#include "kernels/launch/kernel.hpp"
#include "kernels/linalg/plane_vector.hpp"
#include "kernels/vfpi/arrays/group.hpp"
#include "kernels/vfpi/control.hpp"

namespace nodia {

/// Largest number of sums that a kernel writes per chunk.
inline constexpr int kMaxSums = 9;

struct RowCounts {
  std::int32_t n_row = 0;                   ///< rows of A
  std::int32_t n_chunk = 0;                 ///< chunks of rows and contact nodes, padding included
  std::int32_t first_contact_node_row = 0;  ///< a multiple of kBlockLanes

  /// n_chunk padded to whole blocks that read the chunks' sums; the padding is zero.
  NODIA_HD int partial_stride() const { return item_count(n_chunk) * kBlockLanes; }
};

/// Offsets of an environment. Environments of the same sparsity pattern and order share its lists.
struct RowOffsets {
  std::int64_t first_row = 0;            ///< a multiple of kBlockLanes
  std::int64_t first_slice_begin = 0;    ///< offset in slice_begin; may be shared
  std::int64_t first_pattern_block = 0;  ///< offset in lists of blocks of kSliceRows; may be shared
  std::int64_t first_block = 0;          ///< offset in values of blocks of kSliceRows
  std::int64_t first_block_of_A = 0;     ///< offset in the blocks of A
  std::int64_t first_partial = 0;
  std::int64_t env = 0;
};

/// Sliced pattern of kernels/linalg/sliced_matrix.hpp.
template <class Space>
struct RowLists {
  template <class T>
  using In = typename Space::template In<T>;

  In<std::int32_t> slice_begin{};
  In<std::int32_t> column{};  ///< counts from the environment's first row, times kNodeStride
  In<std::int32_t> block{};   ///< counts from the environment's first block in A; -1: padding

  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    using O = RowOffsets;
    constexpr Written kRows = Written::with_rows;
    f(Field<O>{"slice_begin", kRows, &O::first_slice_begin}, g.slice_begin...);
    f(Field<O>{"column", kRows, &O::first_pattern_block, kSliceRows}, g.column...);
    f(Field<O>{"block", kRows, &O::first_pattern_block, kSliceRows}, g.block...);
  }
};

/// True if the state is a double reference plus a float increment.
template <class Precision>
inline constexpr bool kHasIncrement =
    !std::is_same_v<typename Precision::Matrix, typename Precision::Real>;

/// Values of the rows. Vectors that a product gathers have kNodeStride scalars per row
/// (kernels/launch/memory.hpp); the others are stored as columns (kernels/linalg/plane_vector.hpp).
template <class Precision, class Space>
struct RowValues {
  using Real = typename Precision::Real;
  using Matrix = typename Precision::Matrix;
  template <class T>
  using In = typename Space::template In<T>;
  template <class T>
  using Out = typename Space::template Out<T>;

  Out<Matrix> matrix{};  ///< A of the iteration; float: difference form
  Out<double> exact{};   ///< A in double for the residual, mixed precision only

  // Stored as columns.
  Out<Real> b{};                   ///< [N]
  Out<Real> best{};                ///< v** with the smallest error so far [m/s]
  Out<Real> gradient{};            ///< A v - b, if kernels exchange it [N]
  Out<Real> gradient_before{};     ///< gradient of the last iteration, Barzilai-Borwein only [N]
  Out<Real> reference{};           ///< mixed precision only
  Out<Real> reference_gradient{};  ///< A reference - b, mixed precision only
  Out<Real> power_product{};       ///< A times `power`

  // Gathered by products.
  Out<Real> node[4]{};         ///< v in the roles of VfpiControl [m/s]; mixed precision: columns
  Out<Matrix> increment[2]{};  ///< y - reference, mixed precision only
  Out<Real> tested{};          ///< solution whose residual is measured, mixed precision only
  Out<Matrix> tested_increment{};  ///< tested - reference, mixed precision only
  Out<Real> power{};               ///< vector of the power iteration; persists between solves

  // One value per row.
  Out<Real> w{};              ///< W [s/kg]; persists between solves
  Out<double> w_unguarded{};  ///< W before the spectral bound; persists between solves
  In<double> inverse_mass{};  ///< weights of the residual norm [1/kg]

  Out<double> partial{};       ///< kMaxSums runs of partial_stride() sums, one per chunk
  Out<VfpiControl> control{};  ///< one value

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
    for (int k = 0; k < 4; ++k)  // the other three start as copies of node[0].
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
