/// Energies at the end of the step, with the bits of the host's sums
/// (host/simulation/bodies/soft_bodies.cpp). The nodes advance there when the next step starts
/// (kernels/step/carry_state.hpp).
#pragma once

#include "kernels/step/evaluate_tet.hpp"
#include "kernels/step/node_sums.hpp"
#include "kernels/vfpi/soft_motion.hpp"

namespace nodia {

/// Returns whether an environment has a valid end-of-step state.
template <class Precision, class Memory>
NODIA_HD bool reaches_end(const SoftStepBatch<Precision>& batch, int e, Memory memory) {
  return batch.contacts[e].near.n_node > 0 && memory.read(&batch.end[e].is_reached);
}

/// Writes SoftRows::padded_x at the end of the step, one lane per node, and sums kinetic and
/// gravitational energy over chunks.
template <class Precision>
struct EndOfNodes
    : NodeSums<EndOfNodes<Precision>, Precision, BlockReduction<Combine::sum, Combine::sum>> {
  static constexpr int kLeastResidentBlocks = 4;  // more blocks would spill registers
  using typename NodeSums<EndOfNodes, Precision, BlockReduction<Combine::sum, Combine::sum>>::Terms;

  template <class Memory>
  NODIA_HD bool takes(int e, Memory memory) const {
    return reaches_end(this->batch, e, memory);
  }

  template <class Memory>
  NODIA_HD Terms terms(int e, int node, Memory memory) const {
    const SoftRows& soft = this->batch.soft[e];
    const NodeMotion end =
        end_of_step(soft.step, load_motion(soft, node, memory), this->solution(e, node, memory));
    memory.template store_node<double>(soft.padded_x, node, end.x);
    const double mass = soft.model.mass[node];
    // Sums begin at zero, which turns -0 into 0.
    return {{0 + kinetic_energy(mass, end.v), 0 + gravity_energy(mass, soft.gravity, end.x)}};
  }
};

/// Sums elastic energies of chunks of tetrahedra, one lane each; writes SoftContacts::elastic_sum.
template <class Precision>
struct ElasticEnergyOfTets {
  SoftStepBatch<Precision> batch;
  int n_chunk = 1;  ///< chunks of tetrahedra, maximum over the environments

  using Shared = BlockReduction<Combine::sum>;
  static constexpr int kLast = 2 + Shared::kSteps;
  static constexpr int kPhases = 1 + kLast;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {};
    if (phase == 1) return {kBlockLanes, false};
    return phase < kLast ? Shared::shape(phase - 2) : PhaseShape{1, false};
  }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory memory) const {
    const int e = item / n_chunk;
    return item % n_chunk < item_count(batch.soft[e].model.n_tet) && reaches_end(batch, e, memory);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const int e = item / n_chunk, first = item % n_chunk * kBlockLanes;
    const SoftRows& soft = batch.soft[e];
    if constexpr (phase == 0) {
      MeasureTets tets;
      tets.model = soft.model;
      tets.model.slice += first / kSliceTets;
      tets.model.n_tet -= first;
      tets.x = soft.padded_x;
      tets.value = shared.term[0];
      NoShared none;
      tets.template run<0, Isa>(0, lane, none, memory);
    } else if constexpr (phase == 1) {
      if (first + lane >= soft.model.n_tet) memory.write(&shared.term[0][lane], 0.0);
    } else if constexpr (phase < kLast) {
      shared.template run<phase - 2, Isa>(lane, memory);
    } else {
      memory.write(batch.contacts[e].elastic_sum + item % n_chunk, shared.result(0, memory));
    }
  }
};

/// Combines the energies of each environment into its SoftEnd, one item per environment.
template <class Precision>
struct EnergiesOfEnvironments
    : ReducedTerms<BlockReduction<Combine::sum, Combine::sum, Combine::sum>> {
  using Base = ReducedTerms<BlockReduction<Combine::sum, Combine::sum, Combine::sum>>;
  using typename Base::Shared;

  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD bool enabled(int e, Memory memory) const {
    return reaches_end(batch, e, memory);
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int e, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      const VfpiEnvironment<Precision>& env = batch.env[e];
      const SoftContacts& contacts = batch.contacts[e];
      const auto put = [&](int i, const double* sum, int n) {
        double total = 0;
        for (int c = lane; c < n; c += kBlockLanes) total += memory.read(sum + c);
        memory.write(&shared.term[i][lane], total);
      };
      const int n_chunk = item_count(contacts.near.n_node);
      put(0, env.partial, n_chunk);
      put(1, env.partial + env.partial_stride(), n_chunk);
      put(2, contacts.elastic_sum, item_count(batch.soft[e].model.n_tet));
    } else if constexpr (phase < Base::kLast) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      SoftEnd* end = batch.end + e;
      memory.write(&end->kinetic_J, shared.result(0, memory));
      memory.write(&end->gravity_J, shared.result(1, memory));
      memory.write(&end->elastic_J, shared.result(2, memory));
    }
  }
};

/// Runs after launch_contact_totals while positions and velocities are those of the start of the
/// step. Skips environments without a valid end-of-step state.
template <class Launcher, class Precision>
void launch_end_of_step(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  EndOfNodes<Precision> nodes;
  nodes.batch = batch;
  launcher.launch("end_of_nodes", nodes, batch.n_env * batch.n_chunk);
  ElasticEnergyOfTets<Precision> tets;
  tets.batch = batch;
  tets.n_chunk = item_count(batch.n_tet);
  if (tets.n_chunk > 0) launcher.launch("elastic_energy_of_tets", tets, batch.n_env * tets.n_chunk);
  EnergiesOfEnvironments<Precision> environments;
  environments.batch = batch;
  launcher.launch("energies_of_environments", environments, batch.n_env);
}

}  // namespace nodia
