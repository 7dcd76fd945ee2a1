/// A V-cycle: one step of a stationary iteration for K x = right, from x = 0, symmetric and
/// positive definite as an operator on `right`. Rows, groups and aggregates in parallel,
/// environments side by side. Two steps of the Chebyshev iteration on [lambda_max/4, lambda_max] of
/// D^-1 K before the coarse level and two after it; D the groups' blocks of K.
#pragma once

#include "kernels/launch/element_kernel.hpp"
#include "kernels/multigrid/multigrid_level.hpp"

namespace nodia {
namespace detail {

/// Chebyshev's two steps, d_0 = kFirst/lambda D^-1 r, d_1 = kKeep d_0 + kSecond/lambda D^-1 r.
inline constexpr double kSmallest = 1.0 / 4;  ///< of lambda_max: the interval's lower end
inline constexpr double kCentre = (1 + kSmallest) / 2, kRadius = (1 - kSmallest) / 2;
inline constexpr double kSigma = kCentre / kRadius, kRho = 1 / (2 * kSigma - 1 / kSigma);
inline constexpr double kFirst = 1 / kCentre, kKeep = kRho / kSigma, kSecond = 2 * kRho / kRadius;

/// right - K x in row i.
template <class Memory>
NODIA_HD Vec3d residual_row(const MultigridLevel& level, int i, const Vec3d* x, Memory memory) {
  const Vec3d product =
      block_row_product_of(level.K, i, [&](std::int32_t j) { return memory.read(x + j); });
  return memory.read(level.right + i) - product;
}

/// D^-1 r of a group; calls put(row, value) for each of its rows.
/// @param r  r(row)
template <class R, class Put>
NODIA_HD void apply_inverse(const MultigridLevel& level, int group, const R& r, const Put& put) {
  const std::int32_t begin = level.group_begin[group], end = level.group_begin[group + 1];
  const double* inverse = level.inverse + level.inverse_begin[group];
  const int n = 3 * (end - begin);
  for (std::int32_t i = begin; i < end; ++i) {
    Vec3d sum{};
    for (std::int32_t j = begin; j < end; ++j) {
      const Vec3d value = r(j);
      const double* column = inverse + 3 * (j - begin) * n + 3 * (i - begin);
      for (int c = 0; c < 3; ++c, column += n)
        for (int k = 0; k < 3; ++k) sum[k] += column[k] * value[c];
    }
    put(i, sum);
  }
}

/// One step of the smoother on a group: to := from + (keep step + gain D^-1 (right - K from)).
template <class Memory>
NODIA_HD void smooth_group(const MultigridLevel& level, int group, const Vec3d* from, Vec3d* to,
                           double keep, double gain, Memory memory) {
  const std::int32_t begin = level.group_begin[group], end = level.group_begin[group + 1];
  const auto put = [&](std::int32_t i, Vec3d z) {
    Vec3d step = gain * z;
    if (keep != 0) step += keep * memory.read(level.step + i);
    memory.write(level.step + i, step);
    memory.write(to + i, memory.read(from + i) + step);
  };
  if (end - begin == 1) {
    const Vec3d r = residual_row(level, begin, from, memory);
    apply_inverse(
        level, group, [&](std::int32_t) { return r; }, put);
    return;
  }
  for (std::int32_t i = begin; i < end; ++i)
    memory.write(level.residual + i, residual_row(level, i, from, memory));
  apply_inverse(
      level, group, [&](std::int32_t i) { return memory.read(level.residual + i); }, put);
}

}  // namespace detail

/// half := the first step from x = 0
struct StartSmoothing : ElementKernel<StartSmoothing, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_group; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int group, Memory memory) {
    const double gain = detail::kFirst / level.lambda_max;
    detail::apply_inverse(
        level, group, [&](std::int32_t i) { return memory.read(level.right + i); },
        [&](std::int32_t i, Vec3d z) {
          memory.write(level.step + i, gain * z);
          memory.write(level.half + i, gain * z);
        });
  }
};

/// half := the first step from x
struct SmoothFirst : ElementKernel<SmoothFirst, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_group; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int group, Memory memory) {
    detail::smooth_group(level, group, level.x, level.half, 0, detail::kFirst / level.lambda_max,
                         memory);
  }
};

/// x := the second step, from half
struct SmoothSecond : ElementKernel<SmoothSecond, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_group; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int group, Memory memory) {
    detail::smooth_group(level, group, level.half, level.x, detail::kKeep,
                         detail::kSecond / level.lambda_max, memory);
  }
};

/// coarse_right := P^T (right - K x)
struct RestrictResidual : ElementKernel<RestrictResidual, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_aggregate; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int aggregate, Memory memory) {
    Vec3d t{}, w{};
    for (std::int32_t k = level.member_begin[aggregate]; k < level.member_begin[aggregate + 1];
         ++k) {
      const std::int32_t i = level.member[k];
      const Vec3d r = detail::residual_row(level, i, level.x, memory);
      t += transpose_times(level.prolongation[i].t, r);
      w += transpose_times(level.prolongation[i].w, r);
    }
    memory.write(level.coarse_right + 2 * aggregate, t);
    memory.write(level.coarse_right + 2 * aggregate + 1, w);
  }
};

/// x += P coarse_x
struct ProlongCorrection : ElementKernel<ProlongCorrection, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) {
    return level.n_aggregate > 0 ? level.K.n_row : 0;
  }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int i, Memory memory) {
    const Vec3d* coarse = level.coarse_x + 2 * level.aggregate[i];
    const Prolongation& p = level.prolongation[i];
    const Vec3d correction = p.t * memory.read(coarse) + p.w * memory.read(coarse + 1);
    memory.write(level.x + i, memory.read(level.x + i) + correction);
  }
};

/// x := K^-1 right, on the coarsest level
struct SolveCoarsest : ElementKernel<SolveCoarsest, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.dense_inverse.n_row; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int i, Memory memory) {
    memory.write(level.x + i, block_row_product_of(level.dense_inverse, i, [&](std::int32_t j) {
                   return memory.read(level.right + j);
                 }));
  }
};

/// half := D^-1 residual
struct ApplyGroupInverses : ElementKernel<ApplyGroupInverses, MultigridLevel> {
  NODIA_HD static int size(const MultigridLevel& level) { return level.n_group; }
  template <class Memory>
  NODIA_HD static void visit(const MultigridLevel& level, int group, Memory memory) {
    detail::apply_inverse(
        level, group, [&](std::int32_t i) { return memory.read(level.residual + i); },
        [&](std::int32_t i, Vec3d z) { memory.write(level.half + i, z); });
  }
};

/// The most that an environment has of each on a level.
struct LevelSize {
  int n_row = 0, n_group = 0, n_aggregate = 0;
};

/// One cycle of every environment: x of level 0 from its right side.
/// @param level  [n_level][n_env] one after another; environments with fewer levels have none of
///               anything on the others
/// @param size   [n_level]
template <class Launcher>
void launch_cycle(Launcher&& launcher, const MultigridLevel* level, int n_env,
                  const LevelSize* size, int n_level) {
  const auto launch = [&](int l, const char* name, auto kernel, int n) {
    launch_elements(launcher, name, kernel, level + static_cast<std::ptrdiff_t>(l) * n_env, n_env,
                    n);
  };
  for (int l = 0; l < n_level; ++l) {
    launch(l, "start_smoothing", StartSmoothing{}, size[l].n_group);
    launch(l, "smooth_second", SmoothSecond{}, size[l].n_group);
    launch(l, "restrict_residual", RestrictResidual{}, size[l].n_aggregate);
    launch(l, "solve_coarsest", SolveCoarsest{}, size[l].n_row);
  }
  for (int l = n_level - 1; l >= 0; --l) {
    launch(l, "prolong_correction", ProlongCorrection{}, size[l].n_row);
    launch(l, "smooth_first", SmoothFirst{}, size[l].n_group);
    launch(l, "smooth_second", SmoothSecond{}, size[l].n_group);
  }
}

}  // namespace nodia
