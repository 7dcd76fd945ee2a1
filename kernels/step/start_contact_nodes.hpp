/// Initial guess of contact nodes of soft-soft pairs, and a control that rebuilds W for them.
#pragma once

#include "kernels/step/carry_state.hpp"
#include "kernels/step/number_pairs.hpp"

namespace nodia {

/// Writes the rows of contact nodes in every role: the velocity of the point plus the contact force
/// over kv. Unused contact nodes get zero.
template <class Precision>
struct StartContactNodes : EnvironmentKernel<StartContactNodes<Precision>> {
  using Real = typename Precision::Real;
  SoftStepBatch<Precision> batch;

  template <class Memory>
  NODIA_HD void visit(int e, int k, Memory memory) const {
    const PairBatch& pairs = batch.pairs;
    const PairRoom& room = pairs.room[e];
    const VfpiEnvironment<Precision>& env = batch.env[e];
    if (k >= room.n_contact_node) return;
    Vec3<Real> v{};
    if (k < memory.read(pairs.counts + e).n_used())
      v = velocity(e, memory.read(pairs.contact_node_side + room.first_contact_node + k), memory);
    else
      memory.write(env.w + env.first_contact_node_row + k, Real(1));
    for (int role = 0; role < 4; ++role)
      store_state<Real>(env, env.node[role], env.first_contact_node_row + k, v, memory);
  }

 private:
  /// @param contact_node_side  2 pair + side
  template <class Memory>
  NODIA_HD Vec3<Real> velocity(int e, std::int32_t contact_node_side, Memory memory) const {
    const VfpiEnvironment<Precision>& env = batch.env[e];
    const PairContact& pair = batch.pairs.pair[contact_node_side / 2];
    const int side = contact_node_side % 2;
    const PairSide point = memory.read(&pair.side[side]);
    Vec3d v{};
    for (std::int32_t k = 0; k < point.n; ++k) {
      const std::int32_t row = batch.contacts[e].row[point.node[k]];
      v += (point.weight[k] * Mat3d::identity()) *
           cast<double>(load_state<Real>(env, env.node[0], row, memory));
    }
    const Vec3d lambda = memory.read(&pair.lambda);
    const Vec3d ahead = (1 / memory.read(&pair.gain[side])) *
                        transpose_times(memory.read(&pair.contact.R), side == 0 ? lambda : -lambda);
    return cast<Real>(v) + cast<Real>(ahead);
  }
};

/// Restarts the controls of environments that have or had contact nodes, so that W is rebuilt, and
/// writes the report about their pairs. One lane per environment.
template <class Precision>
struct StartControlsOfPairs : FlatListKernel<StartControlsOfPairs<Precision>> {
  SoftStepBatch<Precision> batch;
  StateCarry<Precision> carry;

  template <class Memory>
  NODIA_HD void visit(int e, Memory memory) const {
    const PairBatch& pairs = batch.pairs;
    const PairCounts counts = memory.read(pairs.counts + e);
    const Carried& carried = carry.carried[e];
    PairReport report;
    report.n_pair = counts.n;
    report.n_contact_node = counts.n_contact_node;
    report.n_contact_node_before = memory.read(pairs.n_contact_node_before + e);
    report.start = carried.control;
    const bool same_nodes = report.n_contact_node == report.n_contact_node_before;
    if (report.n_contact_node > 0 || !same_nodes) {
      const bool warm = carried.knows_w != 0 && same_nodes;
      report.start = {1, warm ? kWarmPowerProducts : kColdPowerProducts};
      memory.write(carry.control + e,
                   report.start.control(carry.acceleration, memory.read(carry.control + e)));
    }
    memory.write(pairs.report + e, report);
  }
};

/// Runs after launch_start and launch_number_pairs.
template <class Launcher, class Precision>
void launch_start_contact_nodes(Launcher&& launcher, const SoftStepBatch<Precision>& batch,
                                const StateCarry<Precision>& carry) {
  if (batch.pairs.capacity == 0) return;
  StartContactNodes<Precision> start;
  start.batch = batch;
  launch_environments(launcher, "start_contact_nodes", start, batch.n_env,
                      batch.pairs.n_contact_node);
  StartControlsOfPairs<Precision> controls;
  controls.batch = batch;
  controls.carry = carry;
  launch_list(launcher, "start_controls_of_pairs", controls, batch.n_env);
}

/// Writes PairBatch::n_contact_node_before for the next step, one lane per environment.
struct KeepContactNodeCounts : FlatListKernel<KeepContactNodeCounts> {
  PairBatch pairs;

  template <class Memory>
  NODIA_HD void visit(int e, Memory memory) const {
    memory.write(pairs.n_contact_node_before + e, memory.read(pairs.counts + e).n_used());
  }
};

/// Runs after the loop of an accepted step.
template <class Launcher, class Precision>
void launch_keep_contact_node_counts(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  if (batch.pairs.capacity == 0) return;
  KeepContactNodeCounts keep;
  keep.pairs = batch.pairs;
  launch_list(launcher, "keep_contact_node_counts", keep, batch.n_env);
}

}  // namespace nodia
