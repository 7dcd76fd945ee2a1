/// Evaluates the errors of the loop's solution in double, with rows of A and b gathered again.
/// host/solvers/report.hpp makes the report from them. The sums have the bits of the host's sums.
#pragma once

#include "kernels/step/contact_at.hpp"
#include "kernels/step/node_sums.hpp"
#include "kernels/step/pair_rows.hpp"
#include "kernels/step/pair_side.hpp"
#include "kernels/step/row_blocks.hpp"

namespace nodia {

/// DynamicsSums, ContactError, and 1 if the solution is not finite.
using EvaluationReduction = BlockReduction<Combine::sum, Combine::sum, Combine::sum, Combine::max,
                                           Combine::max, Combine::max, Combine::max>;

/// Evaluates chunks of nodes.
template <class Precision>
struct EvaluateNodes : NodeSums<EvaluateNodes<Precision>, Precision, EvaluationReduction> {
  static constexpr int kLeastResidentBlocks = 1;  // more blocks would spill registers
  using typename NodeSums<EvaluateNodes, Precision, EvaluationReduction>::Terms;
  using Real = typename Precision::Real;

  template <class Memory>
  NODIA_HD bool takes(int, Memory) const {
    return true;
  }

  template <class Memory>
  NODIA_HD Terms terms(int e, int node, Memory memory) const {
    SolutionSums sums;
    const bool finite = add(e, node, &sums, memory);
    const DynamicsSums& dynamics = sums.dynamics;
    const ContactError& contacts = sums.contacts;
    return {{dynamics.residual_squared, dynamics.load_squared, dynamics.force_squared,
             contacts.worst, contacts.force_scale, contacts.speed_scale, finite ? 0.0 : 1.0}};
  }

 private:
  /// Adds a node and its contacts; a pair is added with its first node.
  /// @return  whether this part of the solution is finite
  template <class Memory>
  NODIA_HD bool add(int e, int node, SolutionSums* sums, Memory memory) const {
    const VfpiEnvironment<Precision>& env = this->batch.env[e];
    const SoftRows& soft = this->batch.soft[e];
    const SoftContacts& contacts = this->batch.contacts[e];
    const Real* solution = env.node[memory.read(&env.control->solution)];
    const auto velocity = [&](std::int32_t i) {
      return cast<double>(load_state<Real>(env, solution, contacts.row[i], memory));
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
      sums->add_contact(c, lambda, evaluated_velocity(c, v, lambda, this->batch.omega),
                        memory.read(env.compliance + slot), this->batch.projection);
    }
    for_node_pairs(
        this->batch, e, contacts.row[node],
        [&](std::int32_t p, int place) {
          const PairContact& pair = memory.read_in_place(this->batch.pairs.pair + p);
          force += force_on_node(pair, place);
          if (place > 0) return;
          const double omega = this->batch.omega;
          finite = finite && is_finite(pair.lambda);
          sums->add_contact(pair.contact, pair.lambda,
                            evaluated_velocity(pair.contact, relative_velocity(pair, velocity),
                                               pair.lambda, omega),
                            largest_axis(pair.compliance) + omega, this->batch.projection);
        },
        memory);
    sums->dynamics.add(memory.read(env.inverse_mass + contacts.row[node]), Av, b, force);
    return finite;
  }
};

/// Combines the errors of each environment into its SoftEvaluation, one item per environment.
template <class Precision>
struct EvaluateEnvironments : NodeTotals<Precision, EvaluationReduction> {
  using Base = NodeTotals<Precision, EvaluationReduction>;
  using typename Base::Shared;

  template <class Memory>
  NODIA_HD bool enabled(int, Memory) const {
    return true;
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int e, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase < Base::kLast) {
      this->template combine<phase, Isa>(e, lane, shared, memory);
    } else {
      const auto result = [&](int i) { return shared.result(i, memory); };
      memory.write(this->batch.evaluation + e, SoftEvaluation{{{result(0), result(1), result(2)},
                                                               {result(3), result(4), result(5)}},
                                                              result(6) == 0});
    }
  }
};

/// Runs after launch_keep_forces while positions and velocities are those of the start of the step.
template <class Launcher, class Precision>
void launch_evaluation(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  EvaluateNodes<Precision> nodes;
  nodes.batch = batch;
  launcher.launch("evaluate_nodes", nodes, batch.n_env * batch.n_chunk);
  EvaluateEnvironments<Precision> environments;
  environments.batch = batch;
  launcher.launch("evaluate_environments", environments, batch.n_env);
}

}  // namespace nodia
