/// Matrices of a multigrid hierarchy: Galerkin products P^T K P and the inverses of the smoother's
/// groups. Blocks of a coarse matrix and groups run in parallel, environments side by side. Every
/// sum has the order of K's blocks.
#pragma once

#include "kernels/elimination/chain_elimination.hpp"
#include "kernels/launch/element_kernel.hpp"
#include "kernels/multigrid/multigrid_level.hpp"

namespace nodia {
namespace detail {

/// Share of a group's trace that is added to its diagonal on coarse levels, because rotations of an
/// aggregate with one node, or with nodes in a line, move nothing.
inline constexpr double kCoarseShift = 1e-9;

template <class Memory>
NODIA_HD void write_block(double* value, const Mat3d& m, Memory memory) {
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) memory.write(value + 3 * c + r, m(r, c));
}

}  // namespace detail

/// rounded_K := K, in slices.
struct RoundMatrix : ElementKernel<RoundMatrix, MultigridBuild> {
  NODIA_HD static int size(const MultigridBuild& build) { return build.n_row; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridBuild& build, int row, Memory memory) {
    const int slice = row / kSliceRows, lane = row % kSliceRows;
    const std::int32_t end = build.pattern.slice_begin[slice + 1];
    for (std::int32_t k = build.pattern.slice_begin[slice]; k < end; ++k) {
      const std::int32_t block = build.pattern.block[std::int64_t{k} * kSliceRows + lane];
      float* rounded = build.rounded_K + std::int64_t{k} * kSliceBlock + lane;
      if (block < 0) {
        for (int e = 0; e < 9; ++e) memory.write(rounded + e * kSliceRows, 0.0F);
        continue;
      }
      const double* value = build.K + std::int64_t{9} * block;
      for (int e = 0; e < 9; ++e)
        memory.write(rounded + e * kSliceRows, static_cast<float>(memory.read(value + e)));
    }
  }
};

/// Copies the changed blocks of K to rounded_K.
struct RoundBlocks : ElementKernel<RoundBlocks, MultigridBuild> {
  NODIA_HD static int size(const MultigridBuild& build) { return build.n_changed; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridBuild& build, int k, Memory memory) {
    const std::int32_t block = build.changed[k];
    for (int e = 0; e < 9; ++e)
      memory.write(build.rounded_K + build.place[block] + e * kSliceRows,
                   static_cast<float>(memory.read(build.K + std::int64_t{9} * block + e)));
  }
};

/// Sets blocks of a matrix to given values.
struct PutBlocks : FlatListKernel<PutBlocks> {
  const std::int32_t* block = nullptr;  ///< [n], without duplicates
  const double* given = nullptr;        ///< [9 n] values in the same order
  double* K = nullptr;

  template <class Memory>
  NODIA_HD void visit(int k, Memory memory) const {
    for (int e = 0; e < 9; ++e)
      memory.write(K + std::int64_t{9} * block[k] + e,
                   memory.read(given + std::int64_t{9} * k + e));
  }
};

/// coarse_K := P^T K P.
struct CoarsenMatrix : ElementKernel<CoarsenMatrix, MultigridBuild> {
  NODIA_HD static int size(const MultigridBuild& build) { return build.n_coarse_block; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridBuild& build, int k, Memory memory) {
    const CoarseBlock& block = build.coarse_block[k];
    Mat3d tt{}, tw{}, wt{}, ww{};
    for (std::int32_t e = block.term_begin; e < build.coarse_block[k + 1].term_begin; ++e) {
      const CoarseTerm term = build.term[e];
      const Mat3d K = detail::read_block(build.K + 9 * std::int64_t{term.block}, memory);
      const Prolongation<double>& row = build.prolongation[term.row];
      const Prolongation<double>& column = build.prolongation[build.column[term.block]];
      const Mat3d Kt = K * column.t, Kw = K * column.w;
      const Mat3d t = transpose(row.t), w = transpose(row.w);
      tt = tt + t * Kt;
      tw = tw + t * Kw;
      wt = wt + w * Kt;
      ww = ww + w * Kw;
    }
    if (block.is_diagonal) {
      const double shift = detail::kCoarseShift * (trace(tt) + trace(ww));
      // If the trace is zero, half of the aggregate has no motion at all.
      tt = tt + (trace(tt) > 0 ? shift : 1) * Mat3d::identity();
      ww = ww + (trace(ww) > 0 ? shift : 1) * Mat3d::identity();
    }
    const auto put = [&](std::int32_t first, std::int32_t stride, const Mat3d& a, const Mat3d& b,
                         const Mat3d& c, const Mat3d& d) {
      double* at = build.coarse_K + 9 * std::int64_t{first};
      detail::write_block(at, a, memory);
      detail::write_block(at + 9, b, memory);
      detail::write_block(at + 9 * std::int64_t{stride}, c, memory);
      detail::write_block(at + 9 * std::int64_t{stride} + 9, d, memory);
    };
    put(block.target, block.stride, tt, tw, wt, ww);
    if (!block.is_diagonal)
      put(block.mirror, block.mirror_stride, transpose(tt), transpose(wt), transpose(tw),
          transpose(ww));
  }
};

/// Inverse of every group's block of K, by Gauss-Jordan elimination without pivots, because it is
/// positive definite. A cable gets the factor of its band instead. If the band alone is not
/// positive definite, because contacts couple links that are not neighbours, it gets the factors of
/// single links.
struct InvertGroups : ElementKernel<InvertGroups, MultigridBuild> {
  NODIA_HD static int size(const MultigridBuild& build) { return build.n_group; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridBuild& build, int group, Memory memory) {
    if (const std::int32_t segment = build.segment[group]; segment >= 0) {
      if (!detail::eliminate_segment(build.cables, segment, memory))
        detail::eliminate_segment<false>(build.cables, segment, memory);
      return;
    }
    const std::int32_t begin = build.group_begin[group], end = build.group_begin[group + 1];
    double* a = build.inverse + build.inverse_begin[group];
    if (end - begin == 1) {
      const double* block = build.K + 9 * std::int64_t{build.diagonal[begin]};
      detail::write_block(a, inverse(detail::read_block(block, memory)), memory);
      round(a, 9, build.rounded_inverse + build.inverse_begin[group], memory);
      return;
    }
    const int n = 3 * (end - begin);
    for (int k = 0; k < n * n; ++k) memory.write(a + k, 0.0);
    for (std::int32_t i = begin; i < end; ++i)
      for (std::int32_t k = build.row_begin[i]; k < build.row_begin[i + 1]; ++k) {
        const std::int32_t j = build.column[k];
        if (j < begin || j >= end) continue;
        const Mat3d K = detail::read_block(build.K + 9 * std::int64_t{k}, memory);
        for (int c = 0; c < 3; ++c)
          for (int r = 0; r < 3; ++r)
            memory.write(a + (3 * (j - begin) + c) * n + 3 * (i - begin) + r, K(r, c));
      }
    invert(a, n, memory);
    round(a, n * n, build.rounded_inverse + build.inverse_begin[group], memory);
  }

 private:
  template <class Memory>
  NODIA_HD static void round(const double* a, int n, float* rounded, Memory memory) {
    for (int k = 0; k < n; ++k) memory.write(rounded + k, static_cast<float>(memory.read(a + k)));
  }
  template <class Memory>
  NODIA_HD static void invert(double* a, int n, Memory memory) {
    for (int p = 0; p < n; ++p) {
      const double pivot = 1 / memory.read(a + p * n + p);
      memory.write(a + p * n + p, 1.0);
      for (int c = 0; c < n; ++c) memory.write(a + c * n + p, pivot * memory.read(a + c * n + p));
      for (int r = 0; r < n; ++r) {
        if (r == p) continue;
        const double factor = memory.read(a + p * n + r);
        memory.write(a + p * n + r, 0.0);
        for (int c = 0; c < n; ++c)
          memory.write(a + c * n + r,
                       memory.read(a + c * n + r) - factor * memory.read(a + c * n + p));
      }
    }
  }
};

/// Prepares the finest level's matrix for cycles.
/// @param build  in the backend's memory
/// @param all    all blocks are new; otherwise those of `put`, which are set in any case
template <class Launcher>
void launch_fine_level(Launcher&& launcher, const MultigridBuild* build, int n_row, int n_group,
                       bool all, const PutBlocks& put) {
  launch_list(launcher, "put_blocks", put, put.n);
  if (all)
    launch_elements(launcher, "round_matrix", RoundMatrix{}, build, 1, n_row);
  else
    launch_elements(launcher, "round_blocks", RoundBlocks{}, build, 1, put.n);
  launch_elements(launcher, "invert_groups", InvertGroups{}, build, 1, n_group);
}

}  // namespace nodia
