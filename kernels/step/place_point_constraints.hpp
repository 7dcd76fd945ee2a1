/// Writes the point constraints of contact nodes of soft-soft pairs
/// (kernels/vfpi/w/point_constraints.hpp).
#pragma once

#include "kernels/launch/lane_scan.hpp"
#include "kernels/step/count_contacts.hpp"

namespace nodia {

/// Writes PointConstraintLists and the values of PointConstraintValues that exist before the loop,
/// except contact indices. Does not change environments without contact nodes.
template <class Precision>
struct PlacePointConstraints : RowChunkKernel<Precision, true> {
  using Real = typename Precision::Real;
  using Environment = VfpiEnvironment<Precision>;
  /// Integer sums over the chunks before this one.
  using Counts = BlockReduction<Combine::sum, Combine::sum>;
  enum : int { kRows = 0, kParts = 1 };
  static constexpr int kSteps = Counts::kSteps;
  static_assert(kSteps == LaneScan::kSteps);

  struct Shared {
    Counts counts;
    LaneScan before[2];  ///< over the rows up to the lane's
    std::int32_t n_constraint[kBlockLanes];
  };
  static constexpr int kPhases = 2 + kSteps;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, false}; }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const int e = item / this->n_chunk;
    return item % this->n_chunk < this->batch.env[e].n_chunk &&
           memory.read(this->batch.pairs.counts + e).n_used() > 0;
  }
  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const int e = item / this->n_chunk, chunk = item % this->n_chunk;
    if constexpr (phase == 0) {
      count(e, chunk, lane, &shared, memory);
    } else if constexpr (phase <= kSteps) {
      constexpr int kStep = phase - 1;
      for (LaneScan& sum : shared.before) sum.template add<kStep>(lane, memory);
      if (lane < Counts::shape(kStep).lanes) shared.counts.template run<kStep, Isa>(lane, memory);
    } else {
      place(e, chunk, lane, shared, memory);
    }
  }

 private:
  template <class Memory>
  NODIA_HD void count(int e, int chunk, int lane, Shared* shared, Memory memory) const {
    const Environment& env = this->batch.env[e];
    double before[2] = {};
    for (int c = lane; c < chunk; c += kBlockLanes)
      for (int k = 0; k < 2; ++k)
        before[k] += memory.read(env.partial + (kConstrainedRows + k) * env.partial_stride() + c);
    static_assert(kPointConstraints == kConstrainedRows + 1);
    for (int k = 0; k < 2; ++k) memory.write(&shared->counts.term[k][lane], before[k]);
    std::int32_t n = 0;
    this->for_sides(
        e, chunk * kBlockLanes + lane, true, [&](std::int32_t, int) { ++n; }, memory);
    memory.write(&shared->n_constraint[lane], n);
    shared->before[kRows].put(lane, n > 0 ? 1 : 0, memory);
    shared->before[kParts].put(lane, n, memory);
  }

  template <class Memory>
  NODIA_HD void place(int e, int chunk, int lane, const Shared& shared, Memory memory) const {
    const Environment& env = this->batch.env[e];
    const int row = chunk * kBlockLanes + lane;
    const std::int32_t n = memory.read(&shared.n_constraint[lane]);
    const auto whole = [&](int k) {
      return static_cast<std::int32_t>(shared.counts.result(k, memory));
    };
    const std::int32_t end_row = whole(kRows) + shared.before[kRows].result(lane, memory);
    const std::int32_t end_part = whole(kParts) + shared.before[kParts].result(lane, memory);
    if (n > 0) place_row(e, row, end_row - 1, end_part - n, memory);
    if (lane == 0) memory.write(env.constrained_chunk + chunk, whole(kRows));
    if (row == env.n_chunk * kBlockLanes - 1) {
      memory.write(env.constrained_chunk + env.n_chunk, end_row);
      memory.write(env.constrained_begin + end_row, end_part);
    }
    const int point = this->point_of(e, row, memory);
    if (point >= 0) place_point(e, point, memory);
    store_planes<Real>(env.constrained_force, row, Vec3<Real>{}, memory);
  }

  /// @param constrained   index of the row among rows with point constraints
  /// @param place  index of its first entry in constrained_part
  template <class Memory>
  NODIA_HD void place_row(int e, int row, std::int32_t constrained, std::int32_t place,
                          Memory memory) const {
    const Environment& env = this->batch.env[e];
    memory.write(env.constrained_row + constrained, static_cast<std::int32_t>(row));
    memory.write(env.constrained_begin + constrained, place);
    const PairBatch& pairs = this->batch.pairs;
    for_node_pairs(
        this->batch, e, row,
        [&](std::int32_t p, std::int32_t at) {
          const PairContact& pair = pairs.pair[p];
          const std::int32_t n_i = memory.read(&pair.side[0].n);
          const int side = at < n_i ? 0 : 1;
          if (memory.read(&pair.side[side].n) < 2) return;
          memory.write(env.constrained_part + 2 * place,
                       first_part(pair, side, memory) + at - (side == 0 ? 0 : n_i));
          memory.write(env.constrained_part + 2 * place + 1,
                       memory.read(&pair.first_contact_node) + (side == 1 && n_i > 1 ? 1 : 0));
          ++place;
        },
        memory);
  }

  template <class Memory>
  NODIA_HD static std::int32_t first_part(const PairContact& pair, int side, Memory memory) {
    const std::int32_t n_i = memory.read(&pair.side[0].n);
    return memory.read(&pair.first_part) + (side == 1 && n_i > 1 ? n_i : 0);
  }

  template <class Memory>
  NODIA_HD void place_point(int e, int point, Memory memory) const {
    const Environment& env = this->batch.env[e];
    const std::int32_t own = this->contact_node_side(e, point, memory), side = own % 2;
    const PairContact& pair = this->batch.pairs.pair[own / 2];
    const PairSide of_point = memory.read(&pair.side[side]);
    const std::int32_t first = first_part(pair, side, memory);
    if (point == 0) memory.write(env.constraint_begin, 0);
    memory.write(env.constraint_begin + point + 1, first + of_point.n);
    memory.write(env.constraint_gain + point, static_cast<Real>(memory.read(&pair.gain[side])));
    for (std::int32_t k = 0; k < of_point.n; ++k) {
      const double weight = of_point.weight[k];
      memory.write(env.constraint_row + first + k, this->batch.contacts[e].row[of_point.node[k]]);
      // Inside a triangle: c_e of kernels/vfpi/w/point_constraints.hpp by convexity.
      memory.write(env.constraint_weight + first + k, 2 * weight);
      for (int entry = 0; entry < 9; ++entry)
        memory.write(env.constraint_jacobian + 9 * (std::int64_t{first} + k) + entry,
                     entry % 4 == 0 ? static_cast<Real>(weight) : Real(0));
    }
  }
};

/// Runs after launch_place_contacts and before the loop.
template <class Launcher, class Precision>
void launch_place_point_constraints(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  if (batch.pairs.capacity == 0 || batch.n_chunk == 0) return;
  PlacePointConstraints<Precision> place;
  place.batch = batch;
  place.n_chunk = batch.n_chunk;
  launcher.launch("place_point_constraints", place, batch.n_env * place.n_chunk);
}

}  // namespace nodia
