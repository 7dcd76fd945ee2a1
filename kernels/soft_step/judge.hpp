/// Errors of the loop's answer in double, with rows of A and b gathered anew: what
/// host/solvers/report.hpp makes a report of, with the bits of the host's sums.
#pragma once

#include "kernels/launch/reduction.hpp"
#include "kernels/soft_step/contact_at.hpp"
#include "kernels/soft_step/row_blocks.hpp"
#include "kernels/soft_step/soft_contacts.hpp"

namespace nodia {

/// DynamicsSums, ContactError, and 1 where the answer is not finite.
using JudgementReduction = BlockReduction<Combine::sum, Combine::sum, Combine::sum, Combine::max,
                                          Combine::max, Combine::max, Combine::max>;

/// Fills the terms of a JudgementReduction in phase 0, combines them, and hands lane 0 the result.
template <class Precision>
struct JudgementKernel {
  SoftStepBatch<Precision> batch;

  using Shared = JudgementReduction;
  static constexpr int kLast = 1 + Shared::kSteps;
  static constexpr int kPhases = 1 + kLast;
  static constexpr PhaseShape reduction_shape(int phase) {
    return phase < kLast ? Shared::shape(phase - 1) : PhaseShape{1, false};
  }
};

/// Of chunks of nodes, one lane per node, into VfpiEnvironment::partial; chunks of rows beyond the
/// nodes count nothing.
template <class Precision>
struct JudgeNodes : JudgementKernel<Precision> {
  using Base = JudgementKernel<Precision>;
  using typename Base::Shared;
  using Real = typename Precision::Real;
  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{kBlockLanes, false} : Base::reduction_shape(phase);
  }

  template <class Memory>
  NODIA_HD bool enabled(int item, Memory) const {
    return item % this->batch.n_chunk < this->batch.env[item / this->batch.n_chunk].n_chunk;
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int item, int lane, Shared& shared, Memory memory) const {
    const int e = item / this->batch.n_chunk, chunk = item % this->batch.n_chunk;
    if constexpr (phase == 0) {
      AnswerSums sums;
      bool finite = true;
      const int node = chunk * kBlockLanes + lane;
      if (node < this->batch.contacts[e].near.n_node) finite = add(e, node, &sums, memory);
      const DynamicsSums& dynamics = sums.dynamics;
      const ContactError& contacts = sums.contacts;
      const double terms[Shared::kCount] = {
          dynamics.residual_squared, dynamics.load_squared, dynamics.force_squared, contacts.worst,
          contacts.force_scale,      contacts.speed_scale,  finite ? 0.0 : 1.0};
      for (int i = 0; i < Shared::kCount; ++i) memory.write(&shared.term[i][lane], terms[i]);
    } else if constexpr (phase < Base::kLast) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      const VfpiEnvironment<Precision>& env = this->batch.env[e];
      for (int i = 0; i < Shared::kCount; ++i)
        memory.write(env.partial + i * env.partial_stride() + chunk, shared.result(i, memory));
    }
  }

 private:
  /// Adds a node and its contacts. @return whether their part of the answer is finite
  template <class Memory>
  NODIA_HD bool add(int e, int node, AnswerSums* sums, Memory memory) const {
    const VfpiEnvironment<Precision>& env = this->batch.env[e];
    const SoftRows& soft = this->batch.soft[e];
    const SoftContacts& contacts = this->batch.contacts[e];
    const Real* answer = env.node[memory.read(&env.control->answer)];
    const auto velocity = [&](std::int32_t i) {
      return cast<double>(load_state<Real>(env, answer, contacts.row[i], memory));
    };
    const SoftLoad load = load_of(soft, node, memory);
    Vec3d Av{}, force{};
    const Vec3d elastic = for_row_blocks(
        soft, load, node, [&](std::int32_t j, const Mat3d& a) { Av += a * velocity(j); }, memory);
    const Vec3d b = row_right_hand_side(soft, load, node, elastic, memory), v = velocity(node);
    bool finite = is_finite(v);
    for (int k = 0; k < contacts.near.n_obstacle; ++k) {
      const int place = node * contacts.near.n_obstacle + k;
      const std::int32_t slot = memory.read(contacts.slot + place);
      if (slot < 0) continue;
      const Contact<double> c = contact_at(contacts, soft, node, k, memory);
      const auto lambda = memory.template load_unpadded_node<double>(contacts.kept, place);
      finite = finite && is_finite(lambda);
      force += transpose_times(c.R, lambda);
      sums->add_contact(c, lambda, judged_velocity(c, v, lambda, this->batch.omega),
                        memory.read(env.compliance + slot), this->batch.projection);
    }
    sums->dynamics.add(memory.read(env.inverse_mass + contacts.row[node]), Av, b, force);
    return finite;
  }
};

/// Of environments, one item each, into its SoftJudgement.
template <class Precision>
struct JudgeEnvironments : JudgementKernel<Precision> {
  using Base = JudgementKernel<Precision>;
  using typename Base::Shared;
  static constexpr PhaseShape shape(int phase) {
    return phase == 0 ? PhaseShape{} : Base::reduction_shape(phase);
  }

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int e, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      const VfpiEnvironment<Precision>& env = this->batch.env[e];
      shared.template gather<Isa>(env.partial, env.partial_stride(), lane, memory);
    } else if constexpr (phase < Base::kLast) {
      shared.template run<phase - 1, Isa>(lane, memory);
    } else {
      const auto result = [&](int i) { return shared.result(i, memory); };
      memory.write(this->batch.judgement + e, SoftJudgement{{{result(0), result(1), result(2)},
                                                             {result(3), result(4), result(5)}},
                                                            result(6) == 0});
    }
  }
};

/// After the loop and once the forces are kept (launch_keep_forces), with positions and velocities
/// still those of the start of the step.
/// @param launcher  launch(name, kernel, n_item) runs a kernel; launches follow each other
template <class Launcher, class Precision>
void launch_judge(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  launcher.launch("judge_nodes", JudgeNodes<Precision>{{batch}}, batch.n_env * batch.n_chunk);
  launcher.launch("judge_environments", JudgeEnvironments<Precision>{{batch}}, batch.n_env);
}

}  // namespace nodia
