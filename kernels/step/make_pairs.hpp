/// Makes the contacts of the soft-soft pairs that a step has found.
#pragma once

#include "kernels/collision/pair_at.hpp"
#include "kernels/contact/point_compliance.hpp"
#include "kernels/launch/element_kernel.hpp"
#include "kernels/step/pair_list.hpp"
#include "kernels/step/pair_side.hpp"
#include "kernels/step/row_blocks.hpp"
#include "kernels/step/soft_contacts.hpp"

namespace nodia {

/// Writes PairBatch::pair. Sides that are points get row kNoRowYet instead of their row.
struct MakePairs : FlatListKernel<MakePairs> {
  static constexpr int kLeastResidentBlocks = 1;  // more blocks would spill registers
  static constexpr std::int32_t kNoRowYet = -2;

  PairBatch pairs;
  int n_env = 0;
  const SoftRows* soft = nullptr;          ///< [n_env]
  const SoftContacts* contacts = nullptr;  ///< [n_env]

  template <class Memory>
  NODIA_HD void visit(int p, Memory memory) const {
    if (p >= memory.read(pairs.n_selected)) return;
    const PairedSurfaces& paired = pairs.paired;
    PairContact pair;
    pair.slot = memory.read(pairs.slot + p);
    const SoftPairAt at = pair_at(paired, pair.slot, memory);
    const int e = environment_of(paired, n_env, at.search);
    pair.search = at.search;
    pair.edge = at.edge;
    pair.hit = at.hit;
    pair.gap_m = at.gap_m;
    add_sides(at, &pair);
    make_contact(e, at.normal, &pair, memory);
    pair.lambda = kept_force(e, pair, memory);
    memory.write(pairs.pair + p, pair);
  }

 private:
  /// Adds a node to a side; its nodes ascend.
  NODIA_HD static void add_node(std::int32_t node, double weight, PairSide* side) {
    int k = side->n++;
    for (; k > 0 && node < side->node[k - 1]; --k) {
      side->node[k] = side->node[k - 1];
      side->weight[k] = side->weight[k - 1];
    }
    side->node[k] = node;
    side->weight[k] = weight;
  }

  NODIA_HD void add_sides(const SoftPairAt& at, PairContact* pair) const {
    const VertexSearch& search = pairs.paired.searches.search[at.search];
    const PairedSurface &i = pairs.paired.surface[search.i], &j = pairs.paired.surface[search.j];
    const auto add_edge = [](const PairedSurface& of, std::int32_t edge, double s, PairSide* side) {
      const std::int32_t* ends = of.edges.ends(edge);
      add_node(of.node[ends[0]], 1 - s, side);
      add_node(of.node[ends[1]], s, side);
    };
    if (at.edge >= 0) {
      add_edge(i, at.feature, at.crossing.s, &pair->side[0]);
      add_edge(j, at.edge, at.crossing.t, &pair->side[1]);
      return;
    }
    add_node(i.node[at.feature], 1, &pair->side[0]);
    const std::int32_t* corners =
        pairs.paired.searches.surface[search.j].surface.corners(at.hit.triangle);
    for (int k = 0; k < 3; ++k)
      if (at.hit.weight[k] > 0) add_node(j.node[corners[k]], at.hit.weight[k], &pair->side[1]);
  }

  /// Writes the contact, its compliance, and kv of its points.
  template <class Memory>
  NODIA_HD void make_contact(int e, Vec3d normal, PairContact* pair, Memory memory) const {
    const ContactRule& rule = pairs.rule[pair->search];
    const auto velocity = [&](std::int32_t node) {
      return memory.template load_unpadded_node<double>(soft[e].v, node);
    };
    Contact<double>& c = pair->contact;
    c.side_i = row_of(e, pair->side[0]);
    c.side_j = row_of(e, pair->side[1]);
    c.R = contact_frame(normal, rule.axis);
    c.phi = contact_phi({pair->gap_m, relative_velocity(*pair, velocity), {}}, c.R,
                        rule.restitution, contacts[e].times);
    c.mu1 = rule.mu1;
    c.mu2 = rule.mu2;
    pair->compliance = compliance_of(soft[e], pair->side[0], c.R, memory);
    pair->compliance += compliance_of(soft[e], pair->side[1], c.R, memory);
    for (int k = 0; k < 2; ++k)
      if (pair->side[k].is_point()) pair->gain[k] = pairs.coupling.gain(pair->compliance);
  }

  NODIA_HD std::int32_t row_of(int e, const PairSide& side) const {
    return side.is_point() ? kNoRowYet : contacts[e].row[side.node[0]];
  }

  template <class Memory>
  NODIA_HD static Vec3d compliance_of(const SoftRows& soft, const PairSide& side, const Mat3d& R,
                                      Memory memory) {
    if (!side.is_point()) return node_compliance(row_diagonal_block(soft, side.node[0], memory), R);
    return point_compliance(side.n, side.weight, R, [&](int a, int b) {
      return a == b ? row_diagonal_block(soft, side.node[a], memory)
                    : row_coupling_block(soft, side.node[a], side.node[b], memory);
    });
  }

  /// Force of the same features in the last step; zero if they were no pair [N].
  template <class Memory>
  NODIA_HD Vec3d kept_force(int e, const PairContact& pair, Memory memory) const {
    const PairSlots& slots = pairs.paired.pairs.slots[pair.search];
    const bool is_edge = pair.edge >= 0;
    const std::int32_t first_of_edge =
        slots.first + slots.n_vertex + kEdgePairs * (is_edge ? slots.edge(pair.slot) : 0);
    const std::int32_t first =
        (is_edge ? first_of_edge : pair.slot) - first_slot_of(pairs.paired, e);
    const std::int32_t last = first + (is_edge ? kEdgePairs : 1) - 1;
    const KeptRange range = memory.read(pairs.kept_range + e);
    std::int32_t k = range.first;
    for (std::int32_t end = k + range.n; k < end;) {
      const std::int32_t middle = k + (end - k) / 2;
      if (memory.read(&pairs.kept[middle].slot) < first)
        k = middle + 1;
      else
        end = middle;
    }
    for (; k < range.first + range.n; ++k) {
      const KeptPair kept = memory.read(pairs.kept + k);
      if (kept.slot > last) break;
      if (kept.edge == pair.edge) return kept.force;
    }
    return {};
  }
};

/// Runs after the selection of PairBatch::slot while positions and velocities are those of the
/// start of the step.
template <class Launcher, class Precision>
void launch_make_pairs(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  MakePairs kernel;
  kernel.pairs = batch.pairs;
  kernel.n_env = batch.n_env;
  kernel.soft = batch.soft;
  kernel.contacts = batch.contacts;
  launch_list(launcher, "make_pairs", kernel, batch.pairs.capacity);
}

}  // namespace nodia
