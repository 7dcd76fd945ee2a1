/// Conjugate gradients for K x = r from x = 0, preconditioned by a V-cycle, until a step decides to
/// end. Sums have the order of kernels/launch/reduction.hpp, so that every launcher gives the same
/// bits. Energies are squares of the norm of K.
#pragma once

#include "kernels/core/numbers.hpp"
#include "kernels/launch/decision.hpp"
#include "kernels/launch/element_kernel.hpp"
#include "kernels/launch/loop_condition.hpp"
#include "kernels/launch/reduction.hpp"
#include "kernels/linalg/block_csr.hpp"
#include "kernels/multigrid/multigrid_cycle.hpp"

namespace nodia {

/// Criterion that ends a run of steps.
struct GradientGoal {
  double share = 0;   ///< ends at a step that adds at most this share of the energy found,
  double enough = 0;  ///< or at most this energy [N m/s],
  std::int32_t most_iterations = 1;  ///< or after this number of iterations since the start
  LoopCondition loop;                ///< initially `running`: only the steps end it
};

enum class GradientOutcome : std::int32_t {
  none,          ///< no decision yet
  stepped,       ///< the step was taken
  nothing_left,  ///< the residual is zero
  failed         ///< the matrix, the cycle or a value is invalid: no step was taken
};

struct GradientState {
  double rz = 0;        ///< product of the residual and its cycle
  double ratio = 0;     ///< ratio of rz to that of the last step
  double alpha = 0;     ///< length of the step
  double energy = 0;    ///< |x|^2: lower bound of the solution's energy
  double decrease = 0;  ///< decrease of the residual's energy by the last step; 0: there was none
  std::int32_t iterations = 0;
  std::int32_t n_cycle = 0, n_product = 0;
  GradientOutcome outcome = GradientOutcome::none;  ///< outcome of the last step
  std::int32_t direction_ticket = 0, step_ticket = 0, end_ticket = 0;
};

/// True if the last step reached the goal, without its limit most_iterations.
NODIA_HD bool reaches(const GradientState& state, double share, double enough) {
  return state.decrease <= larger(share * state.energy, enough);
}

/// Arrays of one environment; plain pointers.
struct GradientView {
  BlockCsrView<double> K;      ///< [kg/s]
  const Vec3d* r = nullptr;    ///< [n_row]
  Vec3d* x = nullptr;          ///< [n_row]
  Vec3d* rest = nullptr;       ///< r - K x, the input of a cycle
  Vec3d* cycled = nullptr;     ///< result of a cycle
  Vec3d* direction = nullptr;  ///< [n_row]
  Vec3d* product = nullptr;    ///< K direction
  std::int32_t n_chunk = 0;    ///< number of chunks of rows
  std::int32_t n_group = 1;    ///< number of groups of chunks with a decision each: one, all chunks
  double* part = nullptr;      ///< [part_stride] sums of the chunks, then zeros
  int part_stride = 0;         ///< a multiple of kBlockLanes, at least n_chunk
  GradientGoal* goal = nullptr;
  GradientState* state = nullptr;
};

/// part_stride for n_row rows.
inline int gradient_stride(int n_row) {
  return kBlockLanes * item_count(item_count(n_row));
}

namespace detail {

using GradientSum = BlockReduction<Combine::sum>;

/// Kernel on one view; items are chunks of its rows.
struct GradientKernel {
  const GradientView* view = nullptr;

  template <class Memory>
  NODIA_HD bool has(GradientOutcome outcome, Memory memory) const {
    return memory.read(&view->state->outcome) == outcome;
  }
};

/// Kernel with one row per lane; Derived has visit(view, row, memory).
template <class Derived>
struct GradientRows : GradientKernel {
  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int, class, class Memory>
  NODIA_HD void run(int item, int lane, NoShared&, Memory memory) const {
    const int row = item * kBlockLanes + lane;
    if (row < view->K.n_row) Derived::visit(*view, row, memory);
  }
};

/// Writes the sum of each chunk to GradientView::part. Derived sets the terms of its rows in phase
/// 0.
template <int kLanes>
struct GradientSums : GradientKernel {
  using Shared = GradientSum;
  static constexpr int kPhases = 1 + Shared::kSteps;
  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{kLanes, false} : Shared::shape(phase - 1);
  }
  static constexpr int n_alike(int phase) { return phase == 1 ? Shared::kSteps : 1; }

  template <int, class Isa, class Memory>
  NODIA_HD void run_alike(int item, int lanes, int lane, Shared& sum, Memory memory) const {
    sum.template run_at<Isa>(lanes, lane, memory);
    if (lanes == 1) memory.write(view->part + item, sum.result(0, memory));
  }

 protected:
  template <int phase, class Isa, class Memory>
  NODIA_HD void reduce(int item, int lane, Shared& sum, Memory memory) const {
    this->template run_alike<1, Isa>(item, shape(phase).lanes, lane, sum, memory);
  }
};

/// One item: adds the chunks' sums and calls Derived::decide(view, sum, memory).
template <class Derived>
struct GradientDecision : GradientKernel {
  using Shared = GradientSum;
  static constexpr int kPhases = 1 + Shared::kSteps;
  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{} : Shared::shape(phase - 1);
  }
  static constexpr int n_alike(int phase) { return phase == 1 ? Shared::kSteps : 1; }

  template <class Memory>
  NODIA_HD int group_of(int, Memory) const {
    return 0;
  }
  NODIA_HD int group_size(int) const { return view->n_chunk; }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& sum, Memory memory) const {
    if constexpr (phase == 0)
      sum.template gather<Isa>(view->part, view->part_stride, lane, memory);
    else
      this->template run_alike<1, Isa>(item, shape(phase).lanes, lane, sum, memory);
  }
  template <int, class Isa, class Memory>
  NODIA_HD void run_alike(int, int lanes, int lane, Shared& sum, Memory memory) const {
    sum.template run_at<Isa>(lanes, lane, memory);
    if (lanes == 1) Derived::decide(*view, sum.result(0, memory), memory);
  }
};

}  // namespace detail

/// x := 0, rest := r, and resets the state.
struct StartGradients : detail::GradientRows<StartGradients> {
  template <class Memory>
  NODIA_HD static void visit(const GradientView& view, int row, Memory memory) {
    memory.write(view.x + row, Vec3d{});
    memory.write(view.rest + row, memory.read(view.r + row));
    if (row > 0) return;
    memory.write(&view.state->energy, 0.0);
    memory.write(&view.state->iterations, 0);
    memory.write(&view.state->n_cycle, 0);
    memory.write(&view.state->n_product, 0);
  }
};

/// Adds the terms of rest.cycled.
struct SumRestTimesCycled : detail::GradientSums<kBlockLanes> {
  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& sum, Memory memory) const {
    if constexpr (phase == 0) {
      const int row = item * kBlockLanes + lane;
      double term = 0;
      if (row < view->K.n_row)
        term = dot(memory.read(view->rest + row), memory.read(view->cycled + row));
      memory.write(&sum.term[0][lane], term);
    } else {
      this->template reduce<phase, Isa>(item, lane, sum, memory);
    }
  }
};

/// Decides whether there is a new direction, and with which share of the last one.
struct ChooseDirection : detail::GradientDecision<ChooseDirection> {
  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  NODIA_HD std::int32_t* ticket(int) const { return &view->state->direction_ticket; }

  template <class Memory>
  NODIA_HD static void decide(const GradientView& view, double rz, Memory memory) {
    GradientState* const s = view.state;
    const double before = memory.read(&s->rz);
    GradientOutcome outcome = GradientOutcome::none;
    if (rz == 0)
      outcome = GradientOutcome::nothing_left;
    else if (!(rz > 0) || !is_finite(rz))
      outcome = GradientOutcome::failed;
    memory.write(&s->decrease, 0.0);
    memory.write(&s->rz, rz);
    memory.write(&s->ratio, memory.read(&s->iterations) > 0 ? rz / before : 0.0);
    memory.write(&s->n_cycle, memory.read(&s->n_cycle) + 1);
    memory.write(&s->outcome, outcome);
  }
};

/// direction := cycled + ratio direction.
struct TurnDirection : detail::GradientRows<TurnDirection> {
  template <class Memory>
  NODIA_HD bool enabled(int, Memory memory) const {
    return has(GradientOutcome::none, memory);
  }
  template <class Memory>
  NODIA_HD static void visit(const GradientView& view, int row, Memory memory) {
    Vec3d d = memory.read(view.cycled + row);
    if (memory.read(&view.state->iterations) > 0)
      d = d + memory.read(&view.state->ratio) * memory.read(view.direction + row);
    memory.write(view.direction + row, d);
  }
};

/// product := K direction, and adds the terms of direction.product; two rows per lane.
struct MultiplyDirection : detail::GradientSums<kBlockLanes / 2> {
  template <class Memory>
  NODIA_HD bool enabled(int, Memory memory) const {
    return has(GradientOutcome::none, memory);
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& sum, Memory memory) const {
    if constexpr (phase == 0) {
      const auto d = [&](std::int32_t j) -> decltype(auto) {
        return memory.read_in_place(view->direction + j);
      };
      const int row = item * kBlockLanes + 2 * lane, n_row = view->K.n_row;
      double term[2] = {0, 0};
      Vec3d product[2];
      if (row + 1 < n_row)
        block_row_products_of(view->K, row, d, &product[0], &product[1]);
      else if (row < n_row)
        product[0] = block_row_product_of(view->K, row, d);
      for (int k = 0; k < 2; ++k) {
        if (row + k < n_row) {
          memory.write(view->product + row + k, product[k]);
          term[k] = dot(memory.read(view->direction + row + k), product[k]);
        }
        memory.write(&sum.term[0][2 * lane + k], term[k]);
      }
    } else {
      this->template reduce<phase, Isa>(item, lane, sum, memory);
    }
  }
};

/// Chooses the length of the step, if it can be taken.
struct ChooseStep : detail::GradientDecision<ChooseStep> {
  template <class Memory>
  NODIA_HD bool enabled(int, Memory memory) const {
    return has(GradientOutcome::none, memory);
  }
  NODIA_HD std::int32_t* ticket(int) const { return &view->state->step_ticket; }

  template <class Memory>
  NODIA_HD static void decide(const GradientView& view, double curvature, Memory memory) {
    GradientState* const s = view.state;
    memory.write(&s->n_product, memory.read(&s->n_product) + 1);
    if (!(curvature > 0) || !is_finite(curvature)) {
      memory.write(&s->outcome, GradientOutcome::failed);
      return;
    }
    const double rz = memory.read(&s->rz), alpha = rz / curvature;
    memory.write(&s->alpha, alpha);
    memory.write(&s->decrease, alpha * rz);
    memory.write(&s->energy, memory.read(&s->energy) + alpha * rz);
    memory.write(&s->iterations, memory.read(&s->iterations) + 1);
    memory.write(&s->outcome, GradientOutcome::stepped);
  }
};

/// x += alpha direction, rest -= alpha product.
struct TakeStep : detail::GradientRows<TakeStep> {
  template <class Memory>
  NODIA_HD bool enabled(int, Memory memory) const {
    return has(GradientOutcome::stepped, memory);
  }
  template <class Memory>
  NODIA_HD static void visit(const GradientView& view, int row, Memory memory) {
    const double alpha = memory.read(&view.state->alpha);
    Vec3d x = memory.read(view.x + row), rest = memory.read(view.rest + row);
    x += alpha * memory.read(view.direction + row);
    rest -= alpha * memory.read(view.product + row);
    memory.write(view.x + row, x);
    memory.write(view.rest + row, rest);
  }
};

/// Decides whether another step follows.
struct EndStep : detail::GradientKernel {
  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {1, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  NODIA_HD std::int32_t* ticket() const { return &view->state->end_ticket; }

  template <int, class, class Memory>
  NODIA_HD void run(int, int, NoShared&, Memory memory) const {
    const GradientGoal& goal = *view->goal;
    const GradientState state = memory.read(view->state);
    const bool continues = state.outcome == GradientOutcome::stepped &&
                           !reaches(state, goal.share, goal.enough) &&
                           state.iterations < goal.most_iterations;
    memory.write(&view->goal->loop.running, static_cast<std::int32_t>(continues));
  }
};

/// Launches the start.
/// @param view   in the backend's memory, like all following arguments except sizes
/// @param n_row  rows of K
template <class Launcher>
void launch_gradient_start(Launcher&& launcher, const GradientView* view, int n_row) {
  StartGradients start;
  start.view = view;
  launcher.launch("start_gradients", start, item_count(n_row));
}

/// Launches steps until one reaches the goal.
/// @param level  [n_level]; the input of level 0 is view->rest, its output view->cycled
template <class Launcher>
void launch_gradient_steps(Launcher& launcher, const GradientView* view, LoopCondition* loop,
                           const MultigridLevel* level, const LevelSize* size, int n_level) {
  const std::int32_t *const n_chunk = &view->n_chunk, *const n_group = &view->n_group;
  const auto of_view = [&](auto kernel) {
    kernel.view = view;
    return kernel;
  };
  launcher.repeat_while(loop, [&] {
    launch_cycle(launcher, level, 1, size, n_level);
    launch_then(launcher, "sum_rest_times_cycled", of_view(SumRestTimesCycled{}), n_chunk,
                "choose_direction", of_view(ChooseDirection{}), n_group);
    launcher.launch("turn_direction", of_view(TurnDirection{}), n_chunk);
    launch_then(launcher, "multiply_direction", of_view(MultiplyDirection{}), n_chunk,
                "choose_step", of_view(ChooseStep{}), n_group);
    launch_last(launcher, "take_step", of_view(TakeStep{}), n_chunk, "end_step",
                of_view(EndStep{}));
  });
}

}  // namespace nodia
