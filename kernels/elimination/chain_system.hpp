/// A matrix of chains with a border, and its factor:
///
///   K = | T    B |   T block tridiagonal, with one block per segment of links of a cable
///       | B^T  C |   C the border: all rows outside the bands
///
///   D_k = T_kk - F_k T_k(k-1)^T,   F_k = T_k(k-1) D_(k-1)^-1,   D_k = L_k L_k^T
///   Z_k = L_k^-1 Y_k,              Y_k = B_k - F_k Y_(k-1)
///   S   = C - sum Z_k^T Z_k,       S = U^T U
#pragma once

#include <cstdint>

#include "kernels/core/vec3.hpp"
#include "kernels/elimination/link_block.hpp"

namespace nodia {

/// Blocks of K of a link; -1: zero.
struct LinkPlace {
  std::int32_t row = 0;           ///< first of its two rows
  std::int32_t diagonal[3] = {};  ///< (0, 0), (1, 0), (1, 1)
  std::int32_t before[4] = {};    ///< with the link before: (0, 0), (0, 1), (1, 0), (1, 1)
};

/// Column of B and Z of a border row over a segment, from the first link that it couples with to
/// the segment's end.
struct BorderRun {
  std::int32_t segment = 0;
  std::int32_t first_link = 0;
  std::int32_t coupling_begin = 0, coupling_end = 0;
  std::int64_t first_value = 0;  ///< first entry in `run_value`, one LinkColumns per link
};

/// Blocks of K between a link and a border row; -1: zero.
struct BorderCoupling {
  std::int32_t link = 0;
  std::int32_t block[2] = {};
};

/// Border rows i <= j, and their runs in the same segment.
struct BorderPair {
  std::int32_t i = 0, j = 0;
  std::int32_t block = -1;  ///< block of K
  std::int32_t term_begin = 0, term_end = 0;
};

struct PairTerm {
  std::int32_t run_i = 0, run_j = 0;
};

/// Arrays of one environment; plain pointers.
struct ChainSystem {
  int n_segment = 0;
  int n_run = 0;
  int n_border = 0;
  int n_pair = 0;
  const std::int32_t* segment_begin = nullptr;      ///< [n_segment + 1] in links
  const LinkPlace* link = nullptr;                  ///< in the order of elimination
  const std::int32_t* segment_run_begin = nullptr;  ///< [n_segment + 1], runs by segment
  const BorderRun* run = nullptr;            ///< [n_run] runs of a segment ascend by first link
  const BorderCoupling* coupling = nullptr;  ///< couplings of a run ascend by link
  const std::int32_t* run_border = nullptr;  ///< [n_run] border row of the run
  const std::int32_t* border_row = nullptr;  ///< [n_border] row of K
  const std::int32_t* border_run_begin = nullptr;  ///< [n_border + 1]
  const std::int32_t* border_run = nullptr;        ///< [n_run] runs by border row
  const BorderPair* pair = nullptr;
  const PairTerm* term = nullptr;

  const double* K = nullptr;         ///< values, layout of block_csr.hpp
  LinkBlock* inverse = nullptr;      ///< L^-1 of each link
  LinkBlock* factor = nullptr;       ///< F^T of each link; none for the first of a segment
  LinkColumns* run_value = nullptr;  ///< Z
  double* schur = nullptr;  ///< [(3 n_border)^2] by rows; S, then U with 1/U_ii on the diagonal
  std::int32_t* definite = nullptr;  ///< [n_segment + 1] 1: positive definite; the last: all of K

  LinkVector* work = nullptr;     ///< per link
  double* border_work = nullptr;  ///< [3 n_border]
};

/// Vectors f and x of K x = f, one 3-vector per row.
struct ChainVectors {
  const Vec3d* f = nullptr;
  Vec3d* x = nullptr;
};

}  // namespace nodia
