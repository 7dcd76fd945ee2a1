/// Elimination of chains with a border, and solves with its factor (chain_system.hpp). Items are
/// environments. A lane computes a segment, a column of the border or a block of its Schur
/// complement. Every sum has a fixed order, so that neither the launcher nor the rest of the batch
/// changes a bit.
#pragma once

#include "kernels/elimination/chain_system.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/linalg/block_csr.hpp"

namespace nodia {

/// Lanes of a phase over segments or border rows, and of a phase over pairs of border rows.
inline constexpr int kSegmentLanes = 32;

namespace detail {

/// Column c of block k of K; zero if k < 0.
template <class Memory>
NODIA_HD Vec3d block_column(const ChainSystem& s, std::int32_t k, int c, Memory memory) {
  if (k < 0) return {};
  const double* value = s.K + 9 * static_cast<std::int64_t>(k) + 3 * c;
  return {memory.read(value), memory.read(value + 1), memory.read(value + 2)};
}

/// Computes D_k, L_k^-1 and F_k along a segment.
/// @tparam coupled  false: T_k(k-1) counts as zero
/// @return false at the first block that is not positive definite
template <bool coupled = true, class Memory>
NODIA_HD bool eliminate_segment(const ChainSystem& s, int segment, Memory memory) {
  const int begin = s.segment_begin[segment], end = s.segment_begin[segment + 1];
  LinkBlock inverse{};
  for (int k = begin; k < end; ++k) {
    LinkPlace place = s.link[k];
    if (!coupled)
      for (std::int32_t& block : place.before) block = -1;
    LinkBlock D;  // upper half
    for (int c = 0; c < 3; ++c) {
      D.row[c] = LinkVector::of(block_column(s, place.diagonal[0], c, memory),
                                block_column(s, place.diagonal[1], c, memory));
      D.row[3 + c] = LinkVector::of({}, block_column(s, place.diagonal[2], c, memory));
    }
    if (k > begin) {
      LinkBlock T;  // T_k(k-1)^T
      for (int c = 0; c < kLinkSize; ++c)
        T.row[c] = LinkVector::of(block_column(s, place.before[c / 3], c % 3, memory),
                                  block_column(s, place.before[2 + c / 3], c % 3, memory));
      const LinkBlock G = lower_times(inverse, T);
      subtract_square(G, &D);
      memory.write(s.factor + k, transposed_lower_times(inverse, G));
    }
    if (!invert_cholesky(&D, &inverse)) return false;
    memory.write(s.inverse + k, inverse);
  }
  return true;
}

/// Computes Z of a run.
template <class Memory>
NODIA_HD void eliminate_run(const ChainSystem& s, int r, Memory memory) {
  const BorderRun run = s.run[r];
  const int end = s.segment_begin[run.segment + 1];
  LinkColumns Y{};
  std::int32_t next = run.coupling_begin;
  for (int k = run.first_link; k < end; ++k) {
    const bool coupled = next < run.coupling_end && s.coupling[next].link == k;
    LinkColumns Z;
    for (int c = 0; c < 3; ++c) {
      LinkVector own{};
      if (coupled)
        own = LinkVector::of(block_column(s, s.coupling[next].block[0], c, memory),
                             block_column(s, s.coupling[next].block[1], c, memory));
      if (k > run.first_link) add_rows(-1, memory.read_in_place(s.factor + k), Y.column[c], &own);
      Y.column[c] = own;
      Z.column[c] = times(memory.read_in_place(s.inverse + k), own);
    }
    if (coupled) ++next;
    memory.write(s.run_value + run.first_value + (k - run.first_link), Z);
  }
}

/// Computes block (i, j) of S.
template <class Memory>
NODIA_HD void complement_pair(const ChainSystem& s, const BorderPair& pair, Memory memory) {
  LinkVector sum[9] = {};  // Z_i^T Z_j, by number of the links
  for (std::int32_t t = pair.term_begin; t < pair.term_end; ++t) {
    const BorderRun &of_i = s.run[s.term[t].run_i], &of_j = s.run[s.term[t].run_j];
    const int begin = of_i.first_link > of_j.first_link ? of_i.first_link : of_j.first_link;
    for (int k = begin; k < s.segment_begin[of_i.segment + 1]; ++k) {
      const auto& Z_i =
          memory.read_in_place(s.run_value + of_i.first_value + (k - of_i.first_link));
      const auto& Z_j =
          memory.read_in_place(s.run_value + of_j.first_value + (k - of_j.first_link));
      for (int e = 0; e < 9; ++e) sum[e].add_product(Z_i.column[e / 3], Z_j.column[e % 3]);
    }
  }
  const std::int64_t n = 3 * static_cast<std::int64_t>(s.n_border);
  for (int c = 0; c < 3; ++c) {
    const Vec3d C = block_column(s, pair.block, c, memory);
    for (int r = 0; r < 3; ++r)
      memory.write(s.schur + (3 * pair.i + r) * n + 3 * pair.j + c, C[r] - sum[3 * r + c].total());
  }
}

/// Factorises S = U^T U in place; U is in the upper half.
/// @return false if S is not positive definite
template <class Memory>
NODIA_HD bool factorise_border(const ChainSystem& s, Memory memory) {
  const int n = 3 * s.n_border;
  for (int j = 0; j < n; ++j) {
    double* row = s.schur + static_cast<std::int64_t>(j) * n;
    const double pivot = memory.read(row + j);
    if (!(pivot > 0)) return false;
    const double r = 1 / std::sqrt(pivot);
    memory.write(row + j, r);
    for (int k = j + 1; k < n; ++k) memory.write(row + k, r * memory.read(row + k));
    for (int i = j + 1; i < n; ++i) {
      double* below = s.schur + static_cast<std::int64_t>(i) * n;
      const double u = memory.read(row + i);
      for (int k = i; k < n; ++k)
        memory.write(below + k, memory.read(below + k) - u * memory.read(row + k));
    }
  }
  return true;
}

/// border_work := S^-1 border_work.
template <class Memory>
NODIA_HD void solve_border(const ChainSystem& s, Memory memory) {
  const int n = 3 * s.n_border;
  double* t = s.border_work;
  for (int j = 0; j < n; ++j) {
    const double* row = s.schur + static_cast<std::int64_t>(j) * n;
    const double own = memory.read(row + j) * memory.read(t + j);
    memory.write(t + j, own);
    for (int k = j + 1; k < n; ++k)
      memory.write(t + k, memory.read(t + k) - own * memory.read(row + k));
  }
  for (int j = n - 1; j >= 0; --j) {
    const double* row = s.schur + static_cast<std::int64_t>(j) * n;
    double own = memory.read(t + j);
    for (int k = j + 1; k < n; ++k) own -= memory.read(row + k) * memory.read(t + k);
    memory.write(t + j, memory.read(row + j) * own);
  }
}

template <class Memory>
NODIA_HD Vec3d border_vector(const ChainSystem& s, std::int32_t j, Memory memory) {
  const double* t = s.border_work + 3 * j;
  return {memory.read(t), memory.read(t + 1), memory.read(t + 2)};
}

/// work_k = L_k^-1 y_k,  y_k = f_k - F_k y_(k-1).
/// @param f  returns f of a row
template <class Memory, class Get>
NODIA_HD void solve_forward(const ChainSystem& s, const Get& f, int segment, Memory memory) {
  const int begin = s.segment_begin[segment], end = s.segment_begin[segment + 1];
  LinkVector y{};
  for (int k = begin; k < end; ++k) {
    const std::int32_t row = s.link[k].row;
    LinkVector own = LinkVector::of(f(row), f(row + 1));
    if (k > begin) add_rows(-1, memory.read_in_place(s.factor + k), y, &own);
    y = own;
    memory.write(s.work + k, times(memory.read_in_place(s.inverse + k), y));
  }
}

/// Border row j of f - sum Z_k^T work_k.
template <class Memory, class Get>
NODIA_HD void gather_border(const ChainSystem& s, const Get& f, int j, Memory memory) {
  Vec3d t = f(s.border_row[j]);
  for (std::int32_t r = s.border_run_begin[j]; r < s.border_run_begin[j + 1]; ++r) {
    const BorderRun& run = s.run[s.border_run[r]];
    for (int k = run.first_link; k < s.segment_begin[run.segment + 1]; ++k) {
      const auto& Z = memory.read_in_place(s.run_value + run.first_value + (k - run.first_link));
      const LinkVector w = memory.read(s.work + k);
      t -= Vec3d{dot(Z.column[0], w), dot(Z.column[1], w), dot(Z.column[2], w)};
    }
  }
  memory.write(s.border_work + 3 * j, t.x);
  memory.write(s.border_work + 3 * j + 1, t.y);
  memory.write(s.border_work + 3 * j + 2, t.z);
}

/// x_k = L_k^-T (work_k - Z_k x_border) - F_(k+1)^T x_(k+1).
/// @param put  called with a row and its x
template <class Memory, class Put>
NODIA_HD void solve_backward(const ChainSystem& s, const Put& put, int segment, Memory memory) {
  const int begin = s.segment_begin[segment], end = s.segment_begin[segment + 1];
  LinkVector next{};
  for (int k = end - 1; k >= begin; --k) {
    LinkVector w = memory.read(s.work + k);
    for (std::int32_t r = s.segment_run_begin[segment];
         r < s.segment_run_begin[segment + 1] && s.run[r].first_link <= k; ++r) {
      const auto& Z =
          memory.read_in_place(s.run_value + s.run[r].first_value + (k - s.run[r].first_link));
      const Vec3d t = border_vector(s, s.run_border[r], memory);
      for (int c = 0; c < 3; ++c) w.add_scaled(-t[c], Z.column[c]);
    }
    LinkVector own{};
    if (k + 1 < end) own = times(memory.read_in_place(s.factor + k + 1), next);
    own.scale(-1);
    add_rows(1, memory.read_in_place(s.inverse + k), w, &own);
    next = own;
    const std::int32_t row = s.link[k].row;
    put(row, Vec3d{own[0], own[1], own[2]});
    put(row + 1, Vec3d{own[3], own[4], own[5]});
  }
}

}  // namespace detail

/// Factorises K and tests whether it is positive definite: phases over segments, border columns and
/// pairs, then one lane.
struct EliminateChains {
  const ChainSystem* system = nullptr;  ///< system of each item

  using Shared = NoShared;
  static constexpr int kPhases = 4;
  static constexpr PhaseShape shape(int phase) { return {phase == 3 ? 1 : kSegmentLanes, false}; }
  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const ChainSystem& s = system[item];
    if constexpr (phase == 0) {
      for (int k = lane; k < s.n_segment; k += kSegmentLanes)
        memory.write(s.definite + k, std::int32_t{detail::eliminate_segment(s, k, memory)});
    } else if constexpr (phase == 1) {
      for (int r = lane; r < s.n_run; r += kSegmentLanes) detail::eliminate_run(s, r, memory);
    } else if constexpr (phase == 2) {
      for (int k = lane; k < s.n_pair; k += kSegmentLanes)
        detail::complement_pair(s, s.pair[k], memory);
    } else {
      bool definite = true;
      for (int k = 0; k < s.n_segment; ++k) definite = definite && memory.read(s.definite + k) != 0;
      definite = definite && detail::factorise_border(s, memory);
      memory.write(s.definite + s.n_segment, std::int32_t{definite});
    }
  }
};

/// x = K^-1 f with the factor. Derived has system_of(item), right(item, row, memory) and put(item,
/// row, x, memory).
template <class Derived>
struct ChainSolvePhases {
  using Shared = NoShared;
  static constexpr int kPhases = 4;
  static constexpr PhaseShape shape(int phase) { return {phase == 2 ? 1 : kSegmentLanes, false}; }
  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class, class Memory>
  NODIA_HD void run(int item, int lane, Shared&, Memory memory) const {
    const auto& own = static_cast<const Derived&>(*this);
    const ChainSystem& s = own.system_of(item);
    const auto f = [&](std::int32_t row) { return own.right(item, row, memory); };
    const auto put = [&](std::int32_t row, Vec3d x) { own.put(item, row, x, memory); };
    if constexpr (phase == 0) {
      for (int k = lane; k < s.n_segment; k += kSegmentLanes)
        detail::solve_forward(s, f, k, memory);
    } else if constexpr (phase == 1) {
      for (int j = lane; j < s.n_border; j += kSegmentLanes) detail::gather_border(s, f, j, memory);
    } else if constexpr (phase == 2) {
      detail::solve_border(s, memory);
      for (int j = 0; j < s.n_border; ++j)
        put(s.border_row[j], detail::border_vector(s, j, memory));
    } else {
      for (int k = lane; k < s.n_segment; k += kSegmentLanes)
        detail::solve_backward(s, put, k, memory);
    }
  }
};

struct SolveChains : ChainSolvePhases<SolveChains> {
  const ChainSystem* system = nullptr;    ///< system of each item
  const ChainVectors* vectors = nullptr;  ///< vectors of each item

  NODIA_HD const ChainSystem& system_of(int item) const { return system[item]; }
  template <class Memory>
  NODIA_HD Vec3d right(int item, std::int32_t row, Memory memory) const {
    return memory.read(vectors[item].f + row);
  }
  template <class Memory>
  NODIA_HD void put(int item, std::int32_t row, Vec3d x, Memory memory) const {
    memory.write(vectors[item].x + row, x);
  }
};

}  // namespace nodia
