/// List of the preconditioner blocks in hook order, and their sums in the power iteration.
#pragma once

#include "kernels/vfpi/w/body_blocks.hpp"
#include "kernels/vfpi/w/chains.hpp"
#include "kernels/vfpi/w/jacobi_blocks.hpp"
#include "kernels/vfpi/w/point_constraints.hpp"

namespace nodia {

template <class... Part>
struct PartList {
  /// Calls f(part) for every block type.
  template <class F>
  NODIA_HD static void for_each(const F& f) {
    (f(Part{}), ...);
  }
  /// Bit of one block type, as in parts_of.
  template <class One>
  static constexpr std::uint32_t bit_of() {
    std::uint32_t own = 0, bit = 1;
    ((own |= std::is_same_v<Part, One> ? bit : 0, bit <<= 1), ...);
    return own;
  }
  /// Bits of the block types that add to A.
  static constexpr std::uint32_t kAddToA = [] {
    std::uint32_t bits = 0, bit = 1;
    ((bits |= Part::kAddsToA ? bit : 0, bit <<= 1), ...);
    return bits;
  }();
  struct Counts : Part::Counts... {};
  struct Offsets : Part::Offsets... {};
  template <class Precision, class Space>
  struct Arrays : Part::template Arrays<Precision, Space>... {
    template <class F, class... Group>
    static void each(const F& f, Group&... g) {
      (Part::template Arrays<Precision, Space>::each(f, g...), ...);
    }
  };
};

using PartsOfW = PartList<PointConstraintPart, BodyBlockPart, ChainPart, JacobiBlockPart>;

/// Bit k is set if the environment has the k-th block type.
template <class Precision>
NODIA_HD std::uint32_t parts_of(const VfpiEnvironment<Precision>& env) {
  std::uint32_t parts = 0, bit = 1;
  PartsOfW::for_each([&](auto part) {
    if (part.present(env)) parts |= bit;
    bit <<= 1;
  });
  return parts;
}

/// Contributions of the blocks to the power iteration. Runs after PowerProduct.
template <class Precision>
struct PowerOfParts : SummingKernel<Precision, BlockReduction<Combine::sum, Combine::sum>, 2> {
  static constexpr int kLeastResidentBlocks = 2;  // more would spill registers
  using Base = SummingKernel<Precision, BlockReduction<Combine::sum, Combine::sum>, 2>;
  using typename Base::Shared;
  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{kBlockLanes, false} : Base::reduction_shape(phase);
  }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const auto& env = this->environment(item, memory);
    return parts_of(env) != 0 && memory.read(env.control).power_products > 0;
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase > 0) {
      this->template reduce<phase, Isa>(item, lane, shared, memory);
    } else {
      const auto& env = this->environment(item, memory);
      const int first = this->first_row(item, memory) + lane, stride = env.n_chunk * kBlockLanes;
      double sums[2] = {};
      PartsOfW::for_each([&](auto part) { part.add_power_sums(env, first, stride, sums, memory); });
      memory.write(&shared.term[0][lane], sums[0]);
      memory.write(&shared.term[1][lane], sums[1]);
    }
  }
};

/// Kernels with the hooks of blocks that add to A. They may share a launch with their neighbours
/// unless the comment of a kernel says otherwise.
template <class Precision>
struct OwnGradientOfParts : RowKernel<Precision, OwnGradientOfParts<Precision>> {
  template <class Memory>
  NODIA_HD void visit(const VfpiEnvironment<Precision>& env, const VfpiControl& control, int row,
                      Memory memory) const {
    PartsOfW::for_each([&](auto part) { part.own_gradient(env, control, row, memory); });
  }
};
/// Runs one launch after OwnGradientOfParts.
template <class Precision>
struct GradientOfParts : RowKernel<Precision, GradientOfParts<Precision>> {
  template <class Memory>
  NODIA_HD void visit(const VfpiEnvironment<Precision>& env, const VfpiControl&, int row,
                      Memory memory) const {
    PartsOfW::for_each([&](auto part) { part.add_gradient(env, row, memory); });
  }
};
/// Runs one launch before MeasureResidual.
template <class Precision>
struct MeasureParts : RowKernel<Precision, MeasureParts<Precision>, InMeasurement> {
  template <class Memory>
  NODIA_HD void visit(const VfpiEnvironment<Precision>& env, const VfpiControl& control, int row,
                      Memory memory) const {
    PartsOfW::for_each([&](auto part) { part.measure(env, control, row, memory); });
  }
};
template <class Precision>
struct OrdersToParts : RowKernel<Precision, OrdersToParts<Precision>, WithOrders> {
  static constexpr int kLeastResidentBlocks = 2;  // more would spill registers
  template <class Memory>
  NODIA_HD void visit(const VfpiEnvironment<Precision>& env, const VfpiControl& control, int row,
                      Memory memory) const {
    PartsOfW::for_each([&](auto part) { part.after_test(env, control, row, memory); });
  }
};

}  // namespace nodia
