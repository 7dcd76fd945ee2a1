/// Penetration of soft bodies into obstacles at the end of a step, and tunnelling without a
/// contact. The values equal those of ContactFinder::evaluate().
#pragma once

#include "kernels/collision/tunnelling.hpp"
#include "kernels/launch/reduction.hpp"
#include "kernels/step/body_chunk.hpp"
#include "kernels/step/contact_at.hpp"

namespace nodia {

/// Maximum of the lanes' SoftDepth values.
struct DepthReduction : BlockReduction<Combine::max, Combine::max> {
  template <class Memory>
  NODIA_HD void put(SoftDepth depth, int lane, Memory memory) {
    memory.write(&term[0][lane], depth.depth_m);
    memory.write(&term[1][lane], depth.missed_m);
  }
  /// Combined result; valid in lane 0 after the last step.
  template <class Memory>
  NODIA_HD SoftDepth deepest(Memory memory) const {
    return {result(0, memory), result(1, memory)};
  }
};

/// Base of kernels over all parts of all environments at all obstacles: item (e n_part + p)
/// n_obstacle + k is part p of environment e at obstacle k. Derived has is_part(contacts, p).
template <class Precision, class Derived>
struct DepthKernel {
  SoftStepBatch<Precision> batch;
  int n_part = 1;  ///< maximum over the environments

  using Shared = DepthReduction;
  static constexpr int kLast = 1 + Shared::kSteps;
  static constexpr int kPhases = 1 + kLast;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {kBlockLanes, false};
    return phase < kLast ? Shared::shape(phase - 1) : PhaseShape{1, false};
  }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory) const {
    const SoftContacts& contacts = batch.contacts[env_of(item)];
    return contacts.near.n_node > 0 && obstacle_of(item) < contacts.near.n_obstacle &&
           Derived::is_part(contacts, part_of(item));
  }

 protected:
  NODIA_HD int env_of(int item) const { return item / batch.n_obstacle / n_part; }
  NODIA_HD int part_of(int item) const { return item / batch.n_obstacle % n_part; }
  NODIA_HD int obstacle_of(int item) const { return item % batch.n_obstacle; }
};

/// Writes SoftContacts::chunk_depth for chunks of nodes, one lane per node.
template <class Precision>
struct ChunkDepths : DepthKernel<Precision, ChunkDepths<Precision>> {
  using Base = DepthKernel<Precision, ChunkDepths<Precision>>;
  using typename Base::Shared;
  using Real = typename Precision::Real;

  NODIA_HD static bool is_part(const SoftContacts& contacts, int chunk) {
    if (contacts.n_body == 0) return false;
    const NodeRange nodes = BodyChunk::of(contacts, chunk).nodes;
    return nodes.begin < nodes.end;
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const int e = this->env_of(item), chunk = this->part_of(item), k = this->obstacle_of(item);
    const SoftContacts& contacts = this->batch.contacts[e];
    if constexpr (phase == 0) {
      const NodeRange nodes = BodyChunk::of(contacts, chunk).nodes;
      const int node = nodes.begin + lane;
      SoftDepth depth;
      if (node < nodes.end && can_touch(contacts, node, k)) depth = visit(e, node, k, memory);
      shared.put(depth, lane, memory);
    } else if constexpr (phase < Base::kLast) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      memory.write(contacts.chunk_depth + chunk * contacts.near.n_obstacle + k,
                   shared.deepest(memory));
    }
  }

 private:
  /// Depth of a node at an obstacle.
  template <class Memory>
  NODIA_HD SoftDepth visit(int e, int node, int k, Memory memory) const {
    const VfpiEnvironment<Precision>& env = this->batch.env[e];
    const SoftRows& soft = this->batch.soft[e];
    const SoftContacts& contacts = this->batch.contacts[e];
    const DetectionView& near = contacts.near;
    const Real* solution = env.node[memory.read(&env.control->solution)];
    const auto v_hat = cast<double>(load_state<Real>(env, solution, contacts.row[node], memory));
    const auto x = memory.template load_unpadded_node<double>(soft.x, node);
    const Vec3d end = x + soft.step.step_s * v_hat;
    const ObstaclePose& obstacle = memory.read_in_place(near.obstacle + k);
    const ShapeBounds bounds = bounds_of(obstacle.shape);
    SoftDepth depth;
    depth.depth_m = larger(depth_inside(obstacle.shape, bounds, obstacle.next, end), 0.0);
    if (memory.read(near.flag + node * near.n_obstacle + k) != 0) return depth;
    const double extent =
        contacts.extent[std::int64_t{contacts.surface[node]} * near.n_obstacle + k];
    depth.missed_m =
        larger(tunnelling_depth(obstacle, bounds, x, end, near.reach.margin_m, extent), 0.0);
    return depth;
  }
};

/// Writes SoftContacts::depth, one item per body.
template <class Precision>
struct BodyDepths : DepthKernel<Precision, BodyDepths<Precision>> {
  using Base = DepthKernel<Precision, BodyDepths<Precision>>;
  using typename Base::Shared;

  NODIA_HD static bool is_part(const SoftContacts& contacts, int body) {
    return body < contacts.n_body;
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const int body = this->part_of(item), k = this->obstacle_of(item);
    const SoftContacts& contacts = this->batch.contacts[this->env_of(item)];
    const int n_obstacle = contacts.near.n_obstacle;
    if constexpr (phase == 0) {
      const NodeRange nodes = contacts.body[body];
      const int first = BodyChunk::first(contacts, body), n = item_count(nodes.end - nodes.begin);
      SoftDepth deepest;
      for (int c = lane; c < n; c += kBlockLanes) {
        const SoftDepth chunk = memory.read(contacts.chunk_depth + (first + c) * n_obstacle + k);
        deepest.depth_m = larger(chunk.depth_m, deepest.depth_m);
        deepest.missed_m = larger(chunk.missed_m, deepest.missed_m);
      }
      shared.put(deepest, lane, memory);
    } else if constexpr (phase < Base::kLast) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      memory.write(contacts.depth + body * n_obstacle + k, shared.deepest(memory));
    }
  }
};

/// Runs after the loop while positions and obstacles are those of the step.
template <class Launcher, class Precision>
void launch_depths(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  const auto launch = [&](const char* name, auto kernel, int n_part) {
    const int n_item = batch.n_env * n_part * batch.n_obstacle;
    if (n_item == 0) return;
    kernel.batch = batch;
    kernel.n_part = n_part;
    launcher.launch(name, kernel, n_item);
  };
  launch("chunk_depths", ChunkDepths<Precision>{}, body_chunk_count(batch.n_node, batch.n_body));
  launch("body_depths", BodyDepths<Precision>{}, batch.n_body);
}

}  // namespace nodia
