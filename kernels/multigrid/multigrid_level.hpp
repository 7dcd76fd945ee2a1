/// A level of a multigrid hierarchy: the matrix, the smoother's blocks, and the way to the next
/// coarser level. Of one environment; plain pointers.
///
/// Rows are 3-vectors on every level. On the finest one they are those of K; a coarser one has two
/// rows an aggregate: the translation of its rigid motion, and its rotation times a length. Rows of
/// rigid bodies, robots and cables go through all levels unchanged, two of them as one aggregate.
///
/// A row's velocity is P_i (t, w) = M_i (t + (w/L) x r_i), r_i its place from the aggregate's
/// centre.
#pragma once

#include "kernels/elimination/chain_system.hpp"
#include "kernels/linalg/block_csr.hpp"
#include "kernels/linalg/sliced_matrix.hpp"

namespace nodia {
namespace detail {

template <class Memory>
NODIA_HD Mat3d read_block(const double* value, Memory memory) {
  Mat3d m;
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) m(r, c) = memory.read(value + 3 * c + r);
  return m;
}

}  // namespace detail

/// What a row takes from the two rows of its aggregate: t times the first and w times the second.
template <class Real>
struct Prolongation {
  Mat3<Real> t, w;
};

/// What a cycle works on, in single precision: conjugate gradients around it are in double.
struct MultigridLevel {
  int n_row = 0;
  SlicedPatternView pattern;     ///< of K
  const float* value = nullptr;  ///< of K [kg/s]
  int n_group = 0;  ///< consecutive rows that the smoother inverts; 0 where K^-1 is known
  const std::int32_t* group_begin = nullptr;    ///< [n_group + 1] first row
  const std::int64_t* inverse_begin = nullptr;  ///< [n_group] into `inverse`
  /// Per group the inverse of its part of K, dense, by columns.
  const float* inverse = nullptr;
  double lambda_max = 1;  ///< of D^-1 K, from above

  /// Cables: a group is eliminated along its links, in double precision. A cable is so much stiffer
  /// along than across that single precision would lose its motion: residuals of its rows are sums
  /// in double too.
  ChainSystem cables;                         ///< a segment a cable
  const std::int32_t* segment = nullptr;      ///< [n_group] of `cables`; -1: no cable
  int n_cable_row = 0;                        ///< 0 where K^-1 is known
  const std::int32_t* cable_row = nullptr;    ///< [n_cable_row]
  const double* wide_K = nullptr;             ///< K, layout of block_csr.hpp [kg/s]
  const std::int32_t* row_begin = nullptr;    ///< its pattern
  const std::int32_t* wide_column = nullptr;  ///< its pattern

  // Vectors of rows, as nodes with their padding (memory.hpp), of whole slices.
  float* right = nullptr;
  float* x = nullptr;         ///< out: the cycle's solution
  float* half = nullptr;      ///< between the smoother's two steps
  float* step = nullptr;      ///< the smoother's last
  float* residual = nullptr;  ///< right - K x or right - K half

  const Vec3d* given = nullptr;  ///< [n_row] on the finest level: `right` before it was rounded
  Vec3d* solution = nullptr;     ///< [n_row] on the finest level: x

  int n_aggregate = 0;                                ///< 0: the coarsest level
  const std::int32_t* member_begin = nullptr;         ///< [n_aggregate + 1]
  const std::int32_t* member = nullptr;               ///< rows, ascending
  const std::int32_t* aggregate = nullptr;            ///< [n_row]
  const Prolongation<float>* prolongation = nullptr;  ///< [n_row]
  float* coarse_right = nullptr;                      ///< `right` of the next level
  const float* coarse_x = nullptr;                    ///< `x` of the next level

  // On the coarsest level, where it is not smoothed: K^-1, every block there.
  int n_dense_row = 0;
  SlicedPatternView dense_pattern;
  const float* dense_value = nullptr;
  /// The same where cables make it long: all of K, the rows of no cable its border.
  ChainSystem whole;
};

/// One block of a coarse matrix, rows and columns of an aggregate each, and its transpose: the sum
/// of P_i^T K_ij P_j over the blocks of K between them.
struct CoarseBlock {
  std::int32_t term_begin = 0;                 ///< into `term`; those of the next one end it
  std::int32_t target = 0, mirror = 0;         ///< its block of (t, t) in the coarse matrix
  std::int32_t stride = 0, mirror_stride = 0;  ///< blocks from rows of t to rows of w
  bool is_diagonal = false;
};

/// A block of K in one of these.
struct CoarseTerm {
  std::int32_t block = 0, row = 0;
};

/// What is made of a level before cycles run.
struct MultigridBuild {
  const double* K = nullptr;   ///< values of the level's matrix
  SlicedPatternView pattern;   ///< of what cycles read
  float* rounded_K = nullptr;  ///< out: its values
  int n_row = 0;
  const std::int64_t* place = nullptr;  ///< [n_block] of a block's first value in rounded_K
  int n_changed = 0;                    ///< blocks that are rounded anew, each once
  const std::int32_t* changed = nullptr;
  const std::int32_t* row_begin = nullptr;  ///< its pattern
  const std::int32_t* column = nullptr;
  const std::int32_t* diagonal = nullptr;
  int n_group = 0;
  const std::int32_t* group_begin = nullptr;
  const std::int64_t* inverse_begin = nullptr;
  double* inverse = nullptr;
  float* rounded_inverse = nullptr;       ///< out: the same for cycles
  ChainSystem cables;                     ///< out: their factors
  const std::int32_t* segment = nullptr;  ///< [n_group] of `cables`; -1: no cable

  const std::int32_t* aggregate = nullptr;
  const Prolongation<double>* prolongation = nullptr;
  int n_coarse_block = 0;                     ///< 0: the coarsest level
  const CoarseBlock* coarse_block = nullptr;  ///< [n_coarse_block + 1]
  const CoarseTerm* term = nullptr;
  double* coarse_K = nullptr;
};

}  // namespace nodia
