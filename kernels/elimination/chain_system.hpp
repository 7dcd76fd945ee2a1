/// A matrix of chains with a border, and its factor:
///
///   K = | T    B |   T block tridiagonal, one block a segment of links of a cable
///       | B^T  C |   C the border: everything that does not lie in the band
///
///   D_k = T_kk - F_k T_k(k-1)^T,   F_k = T_k(k-1) D_(k-1)^-1,   D_k = L_k L_k^T
///   Z_k = L_k^-1 Y_k,              Y_k = B_k - F_k Y_(k-1)
///   S   = C - sum Z_k^T Z_k,       S = U^T U
#pragma once

#include <cstdint>

#include "kernels/core/vec3.hpp"
#include "kernels/elimination/link_block.hpp"

namespace nodia {

/// A link's blocks of K; -1: zero.
struct LinkPlace {
  std::int32_t row = 0;           ///< the first of its two
  std::int32_t diagonal[3] = {};  ///< (0, 0), (1, 0), (1, 1)
  std::int32_t before[4] = {};  ///< with the segment's link before: (0, 0), (0, 1), (1, 0), (1, 1)
};

/// A border row's column of B and Z over a segment, from the first link that it couples with to the
/// segment's end.
struct BorderRun {
  std::int32_t segment = 0;
  std::int32_t first_link = 0;
  std::int32_t coupling_begin = 0, coupling_end = 0;
  std::int64_t first_value = 0;  ///< in `run_value`, one LinkColumns a link
};

/// Blocks of K of a link with a border row; -1: zero.
struct BorderCoupling {
  std::int32_t link = 0;
  std::int32_t block[2] = {};
};

/// Border rows i <= j, and the runs that they have in the same segment.
struct BorderPair {
  std::int32_t i = 0, j = 0;
  std::int32_t block = -1;  ///< of K
  std::int32_t term_begin = 0, term_end = 0;
};

struct PairTerm {
  std::int32_t run_i = 0, run_j = 0;
};

/// One environment's; plain pointers.
struct ChainSystem {
  int n_segment = 0;
  int n_run = 0;
  int n_border = 0;
  int n_pair = 0;
  const std::int32_t* segment_begin = nullptr;      ///< [n_segment + 1] in links
  const LinkPlace* link = nullptr;                  ///< in the order of the elimination
  const std::int32_t* segment_run_begin = nullptr;  ///< [n_segment + 1], runs by segment
  const BorderRun* run = nullptr;                  ///< [n_run] of a segment ascending by first link
  const BorderCoupling* coupling = nullptr;        ///< of a run ascending by link
  const std::int32_t* run_border = nullptr;        ///< [n_run] the run's border row
  const std::int32_t* border_row = nullptr;        ///< [n_border] row of K
  const std::int32_t* border_run_begin = nullptr;  ///< [n_border + 1]
  const std::int32_t* border_run = nullptr;        ///< [n_run] runs by border row
  const BorderPair* pair = nullptr;
  const PairTerm* term = nullptr;

  const double* K = nullptr;         ///< values, layout of block_csr.hpp
  LinkBlock* inverse = nullptr;      ///< per link L^-1
  LinkBlock* factor = nullptr;       ///< per link F^T, of the first of a segment none
  LinkColumns* run_value = nullptr;  ///< Z
  double* schur = nullptr;  ///< [(3 n_border)^2] by rows; S, then U with 1/U_ii on the diagonal
  std::int32_t* definite = nullptr;  ///< [n_segment + 1] 1: positive definite; the last: all of K

  LinkVector* work = nullptr;     ///< per link
  double* border_work = nullptr;  ///< [3 n_border]
};

/// f and x of K x = f, one vector per row.
struct ChainVectors {
  const Vec3d* f = nullptr;
  Vec3d* x = nullptr;
};

}  // namespace nodia
