/// V-cycle: one step of a stationary iteration for K x = right, from x = 0, which is symmetric and
/// positive definite as an operator on `right`. Rows, groups and aggregates run in parallel,
/// environments side by side. Two steps of the Chebyshev iteration on [lambda_max/4, lambda_max] of
/// D^-1 K precede the coarse level, and two follow; D has the groups' blocks of K.
#pragma once

#include "kernels/elimination/chain_elimination.hpp"
#include "kernels/launch/element_kernel.hpp"
#include "kernels/multigrid/multigrid_level.hpp"

namespace nodia {
namespace detail {

/// The two Chebyshev steps, d_0 = kFirst/lambda D^-1 r, d_1 = kKeep d_0 + kSecond/lambda D^-1 r.
inline constexpr double kSmallest = 1.0 / 4;  ///< lower end of the interval / lambda_max
inline constexpr double kCentre = (1 + kSmallest) / 2, kRadius = (1 - kSmallest) / 2;
inline constexpr double kSigma = kCentre / kRadius, kRho = 1 / (2 * kSigma - 1 / kSigma);
inline constexpr double kFirst = 1 / kCentre, kKeep = kRho / kSigma, kSecond = 2 * kRho / kRadius;

template <class Memory>
NODIA_HD Vec3f node_of(const float* nodes, int row, Memory memory) {
  return memory.template load_node<float>(nodes, row);
}
template <class Memory>
NODIA_HD void set_node(float* nodes, int row, Vec3f value, Memory memory) {
  memory.template store_node<float>(nodes, row, value);
}

/// Computes D^-1 r of a group, and calls put(row, value) for each of its rows.
/// @param r  one vector per row
template <class Memory, class Put>
NODIA_HD void apply_inverse(const MultigridLevel& level, int group, const float* r, Memory memory,
                            const Put& put) {
  if (const std::int32_t segment = level.segment[group]; segment >= 0) {
    solve_forward(
        level.cables, [&](std::int32_t i) { return cast<double>(node_of(r, i, memory)); }, segment,
        memory);
    solve_backward(
        level.cables, [&](std::int32_t i, Vec3d z) { put(i, cast<float>(z)); }, segment, memory);
    return;
  }
  const std::int32_t begin = level.group_begin[group], end = level.group_begin[group + 1];
  const float* inverse = level.inverse + level.inverse_begin[group];
  const int n = 3 * (end - begin);
  for (std::int32_t i = begin; i < end; ++i) {
    Vec3f sum{};
    for (std::int32_t j = begin; j < end; ++j) {
      const Vec3f value = node_of(r, j, memory);
      const float* column = inverse + 3 * (j - begin) * n + 3 * (i - begin);
      for (int c = 0; c < 3; ++c, column += n)
        for (int k = 0; k < 3; ++k) sum[k] += column[k] * value[c];
    }
    put(i, sum);
  }
}

/// One step of the smoother on a group: to := from + (keep step + gain D^-1 residual), with the
/// residual of `from`.
template <class Memory>
NODIA_HD void smooth_group(const MultigridLevel& level, int group, const float* from, float* to,
                           float keep, float gain, Memory memory) {
  apply_inverse(level, group, level.residual, memory, [&](std::int32_t i, Vec3f z) {
    Vec3f step = gain * z;
    if (keep != 0) step += keep * node_of(level.step, i, memory);
    set_node(level.step, i, step, memory);
    set_node(to, i, node_of(from, i, memory) + step, memory);
  });
}

}  // namespace detail

/// right := given, rounded.
struct RoundRight : ElementKernel<RoundRight, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_row; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int i, Memory memory) {
    detail::set_node(level.right, i, cast<float>(memory.read(level.given + i)), memory);
  }
};

/// solution := x.
struct WidenSolution : ElementKernel<WidenSolution, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_row; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int i, Memory memory) {
    memory.write(level.solution + i, cast<double>(detail::node_of(level.x, i, memory)));
  }
};

/// residual := right - K x, or right - K half, on smoothed levels.
template <bool of_half>
struct ResidualRows : PackedElementKernel<ResidualRows<of_half>, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) {
    return level.n_group > 0 ? level.n_row : 0;
  }
  template <class Isa, class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int row, Memory memory) {
    using P = Lanes<float, Isa>;
    const Vec3<P> product = sliced_row_product<P, false>(
        level.pattern, level.value, of_half ? level.half : level.x, row, memory);
    const Vec3<P> right = memory.template load_node<P>(level.right, row);
    memory.template store_node<P>(level.residual, row, right - product);
  }
};

/// Same for rows of cables, summed in double precision.
template <bool of_half>
struct CableResidual : ElementKernel<CableResidual<of_half>, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_cable_row; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int k, Memory memory) {
    const std::int32_t i = level.cable_row[k];
    Vec3d residual = cast<double>(detail::node_of(level.right, i, memory));
    for (std::int32_t b = level.row_begin[i]; b < level.row_begin[i + 1]; ++b) {
      const Vec3f x = detail::node_of(of_half ? level.half : level.x, level.wide_column[b], memory);
      residual -= detail::read_block(level.wide_K + 9 * std::int64_t{b}, memory) * cast<double>(x);
    }
    detail::set_node(level.residual, i, cast<float>(residual), memory);
  }
};

/// half := first step from x = 0.
struct StartSmoothing : ElementKernel<StartSmoothing, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_group; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int group, Memory memory) {
    const auto gain = static_cast<float>(detail::kFirst / level.lambda_max);
    detail::apply_inverse(level, group, level.right, memory, [&](std::int32_t i, Vec3f z) {
      detail::set_node(level.step, i, gain * z, memory);
      detail::set_node(level.half, i, gain * z, memory);
    });
  }
};

/// half := first step from x with a known residual.
struct SmoothFirst : ElementKernel<SmoothFirst, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_group; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int group, Memory memory) {
    detail::smooth_group(level, group, level.x, level.half, 0,
                         static_cast<float>(detail::kFirst / level.lambda_max), memory);
  }
};

/// x := second step from half with a known residual.
struct SmoothSecond : ElementKernel<SmoothSecond, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_group; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int group, Memory memory) {
    detail::smooth_group(level, group, level.half, level.x, static_cast<float>(detail::kKeep),
                         static_cast<float>(detail::kSecond / level.lambda_max), memory);
  }
};

/// coarse_right := P^T residual.
struct RestrictResidual : ElementKernel<RestrictResidual, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_aggregate; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int aggregate, Memory memory) {
    Vec3f t{}, w{};
    for (std::int32_t k = level.member_begin[aggregate]; k < level.member_begin[aggregate + 1];
         ++k) {
      const std::int32_t i = level.member[k];
      const Vec3f r = detail::node_of(level.residual, i, memory);
      t += transpose_times(level.prolongation[i].t, r);
      w += transpose_times(level.prolongation[i].w, r);
    }
    detail::set_node(level.coarse_right, 2 * aggregate, t, memory);
    detail::set_node(level.coarse_right, 2 * aggregate + 1, w, memory);
  }
};

/// x += P coarse_x.
struct ProlongCorrection : ElementKernel<ProlongCorrection, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) {
    return level.n_aggregate > 0 ? level.n_row : 0;
  }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int i, Memory memory) {
    const int coarse = 2 * level.aggregate[i];
    const Prolongation<float>& p = level.prolongation[i];
    const Vec3f correction = p.t * detail::node_of(level.coarse_x, coarse, memory) +
                             p.w * detail::node_of(level.coarse_x, coarse + 1, memory);
    detail::set_node(level.x, i, detail::node_of(level.x, i, memory) + correction, memory);
  }
};

/// x := K^-1 right, on the coarsest level.
struct SolveCoarsest : PackedElementKernel<SolveCoarsest, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_dense_row; }
  template <class Isa, class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int row, Memory memory) {
    using P = Lanes<float, Isa>;
    memory.template store_node<P>(
        level.x, row,
        sliced_row_product<P, false>(level.dense_pattern, level.dense_value, level.right, row,
                                     memory));
  }
};

/// Same if the coarsest level has cables.
struct SolveCoarsestCables : ChainSolvePhases<SolveCoarsestCables> {
  const MultigridLevel* level = nullptr;  ///< level of each item

  NODIA_HD const ChainSystem& system_of(int item) const { return level[item].whole; }
  template <class Memory>
  NODIA_HD Vec3d right(int item, std::int32_t row, Memory memory) const {
    return cast<double>(detail::node_of(level[item].right, row, memory));
  }
  template <class Memory>
  NODIA_HD void put(int item, std::int32_t row, Vec3d x, Memory memory) const {
    detail::set_node(level[item].x, row, cast<float>(x), memory);
  }
};

/// half := D^-1 residual.
struct ApplyGroupInverses : ElementKernel<ApplyGroupInverses, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_group; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int group, Memory memory) {
    detail::apply_inverse(level, group, level.residual, memory, [&](std::int32_t i, Vec3f z) {
      detail::set_node(level.half, i, z, memory);
    });
  }
};

/// Largest sizes of an environment on a level.
struct LevelSize {
  int n_row = 0, n_group = 0, n_aggregate = 0, n_cable_row = 0, n_dense_row = 0;

  bool operator==(const LevelSize&) const = default;
};

/// Launches one cycle of every environment: computes `solution` of level 0 from `given`.
/// @param level  [n_level][n_env], level by level; environments with fewer levels have empty ones
/// @param size   [n_level]
template <class Launcher>
void launch_cycle(Launcher&& launcher, const MultigridLevel* level, int n_env,
                  const LevelSize* size, int n_level) {
  const auto launch = [&](int l, const char* name, auto kernel, int n) {
    launch_elements(launcher, name, kernel, level + static_cast<std::ptrdiff_t>(l) * n_env, n_env,
                    n);
  };
  const auto residual_of_x = [&](int l) {
    if (size[l].n_group == 0) return;
    launch(l, "residual_of_x", ResidualRows<false>{}, size[l].n_row);
    launch(l, "cable_residual_of_x", CableResidual<false>{}, size[l].n_cable_row);
  };
  const auto smooth_second = [&](int l) {
    if (size[l].n_group == 0) return;
    launch(l, "residual_of_half", ResidualRows<true>{}, size[l].n_row);
    launch(l, "cable_residual_of_half", CableResidual<true>{}, size[l].n_cable_row);
    launch(l, "smooth_second", SmoothSecond{}, size[l].n_group);
  };
  launch(0, "round_right", RoundRight{}, size[0].n_row);
  for (int l = 0; l < n_level; ++l) {
    launch(l, "start_smoothing", StartSmoothing{}, size[l].n_group);
    smooth_second(l);
    residual_of_x(l);
    launch(l, "restrict_residual", RestrictResidual{}, size[l].n_aggregate);
    launch(l, "solve_coarsest", SolveCoarsest{}, size[l].n_dense_row);
    if (size[l].n_cable_row > 0) {
      SolveCoarsestCables solve;
      solve.level = level + static_cast<std::ptrdiff_t>(l) * n_env;
      launcher.launch("solve_coarsest_cables", solve, n_env);
    }
  }
  for (int l = n_level - 1; l >= 0; --l) {
    launch(l, "prolong_correction", ProlongCorrection{}, size[l].n_row);
    residual_of_x(l);
    launch(l, "smooth_first", SmoothFirst{}, size[l].n_group);
    smooth_second(l);
  }
  launch(0, "widen_solution", WidenSolution{}, size[0].n_row);
}

}  // namespace nodia
