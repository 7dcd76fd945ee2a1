/// FreeMotion::update of soft bodies, computed from the output of EvaluateTets.
#pragma once

#include "kernels/launch/reduction.hpp"
#include "kernels/step/body_chunk.hpp"
#include "kernels/step/row_blocks.hpp"
#include "kernels/step/soft_contacts.hpp"

namespace nodia {

/// Base of kernels over chunks of bodies: item e n_chunk + c is chunk c of environment e.
struct BodyChunkKernel {
  const SoftRows* soft = nullptr;
  const SoftContacts* contacts = nullptr;
  int n_chunk = 1;  ///< maximum of body_chunk_count() over the environments

  using Shared = BlockReduction<Combine::sum, Combine::sum, Combine::sum, Combine::sum>;

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory) const {
    const int env = item / n_chunk;
    if (soft[env].model.n_node == 0 || contacts[env].n_body == 0) return false;
    const NodeRange nodes = chunk_of(item).nodes;
    return nodes.begin < nodes.end;
  }

 protected:
  NODIA_HD BodyChunk chunk_of(int item) const {
    return BodyChunk::of(contacts[item / n_chunk], item % n_chunk);
  }
  template <class Memory>
  NODIA_HD static void put(const TranslationSum& sum, int lane, Shared* shared, Memory memory) {
    for (int axis = 0; axis < 3; ++axis) memory.write(&shared->term[axis][lane], sum.force[axis]);
    memory.write(&shared->term[3][lane], sum.weight);
  }
  template <class Memory>
  NODIA_HD static TranslationSum result(const Shared& shared, Memory memory) {
    return {{shared.result(0, memory), shared.result(1, memory), shared.result(2, memory)},
            shared.result(3, memory)};
  }
};

/// Velocity u of a node that moves under gravity and external forces alone [m/s].
template <class Memory>
NODIA_HD Vec3d falling_velocity(const SoftRows& soft, int i, Memory memory) {
  const Vec3d u =
      fallen(memory.template load_unpadded_node<double>(soft.v, i), soft.step.step_s, soft.gravity);
  if (!soft.load) return u;
  return accelerated(u, soft.step.step_s, soft.model.mass[i],
                     memory.read(&soft.load[i].external_force));
}

/// Computes each node's share of the residual r = b - A u, and the chunk's part of its body's sum.
struct FreeResiduals : BodyChunkKernel {
  static constexpr int kPhases = 2 + Shared::kSteps;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {kBlockLanes, false};
    return phase <= Shared::kSteps ? Shared::shape(phase - 1) : PhaseShape{1, false};
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const int env = item / n_chunk;
    if constexpr (phase == 0) {
      const BodyChunk chunk = chunk_of(item);
      const int i = chunk.nodes.begin + lane;
      TranslationSum sum;
      if (i < chunk.nodes.end) sum = visit(soft[env], contacts[env], chunk.body, i, memory);
      put(sum, lane, &shared, memory);
    } else if constexpr (phase <= Shared::kSteps) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      memory.write(contacts[env].body_sum + item % n_chunk, result(shared, memory));
    }
  }

 private:
  template <class Memory>
  NODIA_HD static TranslationSum visit(const SoftRows& soft, const SoftContacts& contacts, int body,
                                       int i, Memory memory) {
    const NodeRange& together = contacts.body[body];
    TranslationSum sum;
    detail::ScalarRowSum<double> A_u;
    Mat3d diagonal_block;
    const auto add = [&](std::int32_t j, const Mat3d& block) {
      double value[9];
      store_block(value, block);
      A_u.add(value, falling_velocity(soft, j, memory));
      if (j == i) diagonal_block = block;
      if (j >= together.begin && j < together.end)
        sum.add_block(block(0, 0), block(1, 1), block(2, 2));
    };
    const Vec3d elastic = for_row_blocks(soft, i, add, memory);
    const Vec3d r =
        row_right_hand_side(soft, load_of(soft, i, memory), i, elastic, memory) - A_u.total();
    sum.force += r;
    const Vec3d share = own_share(diagonal_block, r);
    for (int axis = 0; axis < 3; ++axis)
      memory.write(contacts.own_share + 3 * std::int64_t{i} + axis, share[axis]);
    return sum;
  }
};

/// Computes v_free; every chunk adds up the sums of its whole body.
struct FreeVelocities : BodyChunkKernel {
  static constexpr int kPhases = 2 + Shared::kSteps;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0 || phase > Shared::kSteps) return {kBlockLanes, false};
    return Shared::shape(phase - 1);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const int env = item / n_chunk;
    const SoftContacts& own = contacts[env];
    if constexpr (phase == 0) {
      const int body = chunk_of(item).body;
      const TranslationSum* part = own.body_sum + BodyChunk::first(own, body);
      const int n_part = item_count(own.body[body].end - own.body[body].begin);
      TranslationSum sum;
      for (int c = lane; c < n_part; c += kBlockLanes) sum += memory.read(part + c);
      put(sum, lane, &shared, memory);
    } else if constexpr (phase <= Shared::kSteps) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      const NodeRange nodes = chunk_of(item).nodes;
      const int i = nodes.begin + lane;
      if (i >= nodes.end) return;
      const Vec3d shift = result(shared, memory).velocity();
      const Vec3d share = memory.template load_unpadded_node<double>(own.own_share, i);
      const Vec3d v = falling_velocity(soft[env], i, memory) + (shift + share);
      for (int axis = 0; axis < 3; ++axis)
        memory.write(own.v_free + 3 * std::int64_t{i} + axis, v[axis]);
    }
  }
};

/// Computes SoftContacts::v_free. Runs after EvaluateSoftTets, AttachNodes and PlaceExternalForces.
template <class Launcher, class Precision>
void launch_free_motion(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  const int n_chunk = body_chunk_count(batch.n_node, batch.n_body);
  if (batch.n_env == 0 || n_chunk == 0) return;
  const auto launch = [&](const char* name, auto kernel) {
    kernel.soft = batch.soft;
    kernel.contacts = batch.contacts;
    kernel.n_chunk = n_chunk;
    launcher.launch(name, kernel, batch.n_env * n_chunk);
  };
  launch("free_residuals", FreeResiduals{});
  launch("free_velocities", FreeVelocities{});
}

}  // namespace nodia
