/// A level of a multigrid hierarchy: the matrix, the smoother's blocks, and the transfer to the
/// next coarser level. Arrays of one environment; plain pointers.
///
/// Rows are 3-vectors on every level. The finest level has the rows of K. A coarser level has two
/// rows per aggregate: the translation of its rigid motion, and its rotation times a length. Rows
/// of rigid bodies, robots and cables are the same on all levels, with two of them as one
/// aggregate.
///
/// A row's velocity is P_i (t, w) = M_i (t + (w/L) x r_i), with r_i its position relative to the
/// aggregate's centre.
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

/// Prolongation of a row from the two rows of its aggregate: factors of the first (t) and of the
/// second (w).
template <class Real>
struct Prolongation {
  Mat3<Real> t, w;
};

/// Arrays of a cycle, in single precision. The conjugate gradients around it use double precision.
struct MultigridLevel {
  int n_row = 0;
  SlicedPatternView pattern;     ///< pattern of K
  const float* value = nullptr;  ///< values of K [kg/s]
  int n_group = 0;  ///< groups of consecutive rows that the smoother inverts; 0 if K^-1 is known
  const std::int32_t* group_begin = nullptr;    ///< [n_group + 1] first row
  const std::int64_t* inverse_begin = nullptr;  ///< [n_group] into `inverse`
  /// Inverse of each group's block of K, dense, by columns.
  const float* inverse = nullptr;
  double lambda_max = 1;  ///< upper bound for D^-1 K

  /// Cables: a group is eliminated along its links, in double precision. A cable is so much stiffer
  /// along its axis than across that single precision would lose its motion. Residuals of its rows
  /// are therefore also summed in double precision.
  ChainSystem cables;                         ///< one segment per cable
  const std::int32_t* segment = nullptr;      ///< [n_group] index in `cables`; -1: no cable
  int n_cable_row = 0;                        ///< 0 if K^-1 is known
  const std::int32_t* cable_row = nullptr;    ///< [n_cable_row]
  const double* wide_K = nullptr;             ///< K, layout of block_csr.hpp [kg/s]
  const std::int32_t* row_begin = nullptr;    ///< its pattern
  const std::int32_t* wide_column = nullptr;  ///< its pattern

  // Vectors of rows, in the form of padded nodes (memory.hpp), padded to whole slices.
  float* right = nullptr;
  float* x = nullptr;         ///< out: solution of the cycle
  float* half = nullptr;      ///< between the smoother's two steps
  float* step = nullptr;      ///< last step of the smoother
  float* residual = nullptr;  ///< right - K x or right - K half

  const Vec3d* given = nullptr;  ///< [n_row] on the finest level: `right` before rounding
  Vec3d* solution = nullptr;     ///< [n_row] on the finest level: x

  int n_aggregate = 0;                                ///< 0: the coarsest level
  const std::int32_t* member_begin = nullptr;         ///< [n_aggregate + 1]
  const std::int32_t* member = nullptr;               ///< rows, ascending
  const std::int32_t* aggregate = nullptr;            ///< [n_row]
  const Prolongation<float>* prolongation = nullptr;  ///< [n_row]
  float* coarse_right = nullptr;                      ///< `right` of the next level
  const float* coarse_x = nullptr;                    ///< `x` of the next level

  // On the coarsest level, if it is not smoothed: K^-1, with every block.
  int n_dense_row = 0;
  SlicedPatternView dense_pattern;
  const float* dense_value = nullptr;
  /// Same if cables make the level large: the whole K, with the rows without a cable as the border.
  ChainSystem whole;
};

/// One block of a coarse matrix, with the rows of one aggregate and the columns of another, and its
/// transpose: the sum of P_i^T K_ij P_j over the blocks of K between them.
struct CoarseBlock {
  std::int32_t term_begin = 0;          ///< first entry in `term`; the next block's is the end
  std::int32_t target = 0, mirror = 0;  ///< block of (t, t) and its transpose in the coarse matrix
  std::int32_t stride = 0, mirror_stride = 0;  ///< distance of blocks from rows of t to rows of w
  bool is_diagonal = false;
};

/// A block of K in a CoarseBlock.
struct CoarseTerm {
  std::int32_t block = 0, row = 0;
};

/// Arrays for the construction of a level before cycles run.
struct MultigridBuild {
  const double* K = nullptr;   ///< values of the level's matrix
  SlicedPatternView pattern;   ///< pattern of the cycles' matrix
  float* rounded_K = nullptr;  ///< out: values of the cycles' matrix
  int n_row = 0;
  const std::int64_t* place = nullptr;  ///< [n_block] index of a block's first value in rounded_K
  int n_changed = 0;                    ///< number of blocks to round again, without duplicates
  const std::int32_t* changed = nullptr;
  const std::int32_t* row_begin = nullptr;  ///< pattern of K
  const std::int32_t* column = nullptr;
  const std::int32_t* diagonal = nullptr;
  int n_group = 0;
  const std::int32_t* group_begin = nullptr;
  const std::int64_t* inverse_begin = nullptr;
  double* inverse = nullptr;
  float* rounded_inverse = nullptr;       ///< out: same for cycles
  ChainSystem cables;                     ///< out: factors of the cables
  const std::int32_t* segment = nullptr;  ///< [n_group] index in `cables`; -1: no cable

  const std::int32_t* aggregate = nullptr;
  const Prolongation<double>* prolongation = nullptr;
  int n_coarse_block = 0;                     ///< 0: the coarsest level
  const CoarseBlock* coarse_block = nullptr;  ///< [n_coarse_block + 1]
  const CoarseTerm* term = nullptr;
  double* coarse_K = nullptr;
};

}  // namespace nodia
