/// Diagonal W, one value per row, and its spectral bound (Lee et al., IV-C; math.md section 4).
///
///   frobenius                  trace(A_ii) / sum of squares of the node's three rows: minimises
///                              |I - W A|_F with one value per node
///   alpha_identity             1, scaled by alpha
///   bb1, bb2, bb_alternating   3/trace(A_ii): metric that alpha of each iteration scales
///   jacobi                     3/trace(A_ii) on rows outside jacobi_blocks.hpp
///   inf_norm                   1 / max over the three rows of sum |A|: lambda_max(W A) <= 1
///
/// Power iteration with the Rayleigh quotient x.Ax / x.W^-1 x estimates lambda_max(W A) from below.
#pragma once

#include "kernels/vfpi/fill_matrix.hpp"
#include "kernels/vfpi/w/parts.hpp"

namespace nodia {

/// W of the lanes' rows before the spectral bound [s/kg].
template <class Isa, class Precision, class Memory>
NODIA_HD Lanes<double, Isa> unguarded_w(const VfpiEnvironment<Precision>& env, WKind kind, int row,
                                        Memory memory) {
  using P = Lanes<double, Isa>;
  using Real = typename Precision::Real;
  const int slice = row / kSliceRows, lane = row % kSliceRows;
  const std::int32_t begin = env.slice_begin[slice], end = env.slice_begin[slice + 1];
  const P zero(0.0);
  P squares = zero, sums[3] = {zero, zero, zero}, diagonal[9];
  const auto load = [&](std::int64_t k, int e) -> P {
    const std::int64_t at = k * kSliceBlock + e * kSliceRows + lane;
    if constexpr (std::is_same_v<Real, double>)
      return memory.template load<P>(accurate_matrix(env) + at);
    else
      return convert<P>(memory.template load<Lanes<Real, Isa>>(accurate_matrix(env) + at));
  };
  const auto add = [&](P a, int e) {
    squares = squares + a * a;
    sums[e % 3] = sums[e % 3] + select(a < 0.0, zero - a, a);
  };
  for (int e = 0; e < 9; ++e) diagonal[e] = begin < end ? load(begin, e) : zero;
  for (std::int64_t k = begin + 1; k < end; ++k) {
    for (int e = 0; e < 9; ++e) {
      const P a = load(k, e);
      add(a, e);
      // Difference form stores the row's sum instead of the diagonal block.
      if constexpr (std::is_same_v<Real, float>) diagonal[e] = diagonal[e] - a;
    }
  }
  for (int e = 0; e < 9; ++e) add(diagonal[e], e);
  const P trace = diagonal[0] + diagonal[4] + diagonal[8];
  P w(1.0);
  switch (kind) {
    case WKind::frobenius:
      w = trace / squares;
      break;
    case WKind::alpha_identity:
      break;
    case WKind::inf_norm: {
      const P two = select(sums[0] > sums[1], sums[0], sums[1]);
      w = 1.0 / select(two > sums[2], two, sums[2]);
      break;
    }
    default:
      w = 3.0 / trace;
  }
  // Rows of the padding have no blocks.
  return select(squares > 0.0, w, P(1.0));
}

/// Computes W of the environments with new W.
template <class Precision>
struct StepSize : OnePhaseKernel<Precision> {
  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    return memory.read(&this->environment(item, memory).control->new_w);
  }
  template <int, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, NoShared&, Memory memory) const {
    using P = Lanes<double, Isa>;
    const auto& env = this->environment(item, memory);
    const int row = this->first_row(item, memory) + lane;
    memory.template store<P>(env.w_unguarded + row,
                             unguarded_w<Isa>(env, this->batch->options.w, row, memory));
  }
};

/// A x and the two sums of the Rayleigh quotient.
template <class Precision>
struct PowerProduct : SummingKernel<Precision, BlockReduction<Combine::sum, Combine::sum>> {
  static constexpr int kLeastResidentBlocks = 2;  // more would spill registers
  using Base = SummingKernel<Precision, BlockReduction<Combine::sum, Combine::sum>>;
  using typename Base::Shared;
  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{} : Base::reduction_shape(phase);
  }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    return memory.read(&this->environment(item, memory).control->power_products) > 0;
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase > 0) {
      this->template reduce<phase, Isa>(item, lane, shared, memory);
    } else {
      using P = Lanes<double, Isa>;
      using R = Lanes<typename Precision::Real, Isa>;
      const auto& env = this->environment(item, memory);
      const int row = this->first_row(item, memory) + lane;
      const Vec3<R> y = accurate_product<R>(env, env.power, row, memory);
      store_planes<R>(env.power_product, row, y, memory);
      const auto x = convert<P>(memory.template load_node<R>(env.power, row));
      memory.template store<P>(&shared.term[0][lane], dot(x, convert<P>(y)));
      memory.template store<P>(&shared.term[1][lane],
                               squared_norm(x) / memory.template load<P>(env.w_unguarded + row));
    }
  }
};

/// Decision after a product. With preconditioner blocks it adds the sums of PowerOfParts.
template <class Precision>
struct PowerDecision
    : DecidingKernel<Precision,
                     BlockReduction<Combine::sum, Combine::sum, Combine::sum, Combine::sum>,
                     PowerDecision<Precision>> {
  template <class Memory>
  NODIA_HD bool enabled(int group, Memory memory) const {
    return memory.read(&this->batch->env[group].control->power_products) > 0;
  }
  NODIA_HD void decide(const VfpiEnvironment<Precision>& env, VfpiControl* c,
                       const double* sum) const {
    const bool extended = parts_of(env) != 0;
    const double x_Ax = extended ? sum[0] + sum[2] : sum[0];
    const double x_x = extended ? sum[1] + sum[3] : sum[1];  // in the metric of W^-1
    if (!(x_x > 0)) {
      c->power_products = 0;
      c->power_scale = 0;
    } else {
      c->lambda_max = larger(c->lambda_max, x_Ax / x_x);
      c->power_scale = 1 / ::sqrt(x_x);
      --c->power_products;
    }
    if (c->power_products == 0) choose_w_scale(c, this->batch->options, env.smallest_mass_rate);
  }
};

/// x := W A x, scaled; after the last product also applies the spectral bound to W.
template <class Precision>
struct PowerUpdate : OnePhaseKernel<Precision> {
  using Real = typename Precision::Real;

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    return memory.read(&this->environment(item, memory).control->new_w);
  }
  template <int, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, NoShared&, Memory memory) const {
    using R = Lanes<Real, Isa>;
    const auto& env = this->environment(item, memory);
    const int row = this->first_row(item, memory) + lane;
    const VfpiControl& control = memory.read_members(env.control);
    const auto w = memory.template load<Lanes<double, Isa>>(env.w_unguarded + row);
    if (control.power_scale > 0)
      memory.template store_node<R>(
          env.power, row,
          convert<R>(control.power_scale * w) * load_planes<R>(env.power_product, row, memory));
    if (control.power_products == 0)
      memory.template store<R>(env.w + row, convert<R>(control.w_scale * w));
  }
};

/// Decides whether any environment needs another product. Has one item; a decision at the end of a
/// kernel (kernels/launch/decision.hpp).
template <class Precision>
struct PowerQueue {
  const VfpiBatch<Precision>* batch = nullptr;
  VfpiQueue* queue = nullptr;

  struct Shared {
    std::int32_t running[kBlockLanes];  ///< 1: an environment of the lane needs a product
  };
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int phase) { return {phase == 0 ? kBlockLanes : 1, false}; }
  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }
  NODIA_HD std::int32_t* ticket() const { return &queue->ticket; }

  template <int phase, class, class Memory>
  NODIA_HD void run(int, int lane, Shared& shared, Memory memory) const {
    std::int32_t running = 0;
    if constexpr (phase == 0) {
      for (int e = lane; e < batch->n_env; e += kBlockLanes)
        if (memory.read(&batch->env[e].control->power_products) > 0) running = 1;
      memory.write(&shared.running[lane], running);
    } else {
      for (int l = 0; l < kBlockLanes; ++l) running |= memory.read(&shared.running[l]);
      memory.write(&queue->power.running, running);
    }
  }
};

/// Sets W to inf_norm for environments that start the safe iteration.
template <class Precision>
struct SafeStepSize : OnePhaseKernel<Precision> {
  using Real = typename Precision::Real;

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    return memory.read(&this->environment(item, memory).control->fall_back);
  }
  template <int, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, NoShared&, Memory memory) const {
    const auto& env = this->environment(item, memory);
    const int row = this->first_row(item, memory) + lane;
    memory.template store<Lanes<Real, Isa>>(env.w + row, convert<Lanes<Real, Isa>>(unguarded_w<Isa>(
                                                             env, WKind::inf_norm, row, memory)));
  }
};

}  // namespace nodia
