/// Totals over an environment's contacts, and whether its step has a valid end. The bits equal
/// those of host/simulation/step_measurement.cpp.
#pragma once

#include "kernels/contact/contact_state.hpp"
#include "kernels/contact/solution_errors.hpp"
#include "kernels/step/contact_at.hpp"
#include "kernels/step/node_sums.hpp"
#include "kernels/step/pair_rows.hpp"
#include "kernels/vfpi/soft_motion.hpp"

namespace nodia {

/// Force of obstacles on the bodies; numbers of contacts, sticking and slipping contacts; 1 if the
/// end-of-step state is not finite.
using ContactTotals = BlockReduction<Combine::sum, Combine::sum, Combine::sum, Combine::sum,
                                     Combine::sum, Combine::sum, Combine::max>;

/// Sums over chunks of nodes.
template <class Precision>
struct ContactTotalsOfNodes : NodeSums<ContactTotalsOfNodes<Precision>, Precision, ContactTotals> {
  using typename NodeSums<ContactTotalsOfNodes, Precision, ContactTotals>::Terms;

  template <class Memory>
  NODIA_HD bool takes(int e, Memory) const {
    return this->batch.contacts[e].near.n_node > 0;
  }

  template <class Memory>
  NODIA_HD Terms terms(int e, int node, Memory memory) const {
    const SoftRows& soft = this->batch.soft[e];
    const SoftContacts& contacts = this->batch.contacts[e];
    Vec3d force{};
    int n_contact = 0, n_stick = 0, n_slip = 0;
    const auto count = [&](const Contact<double>& c, Vec3d lambda) {
      const ContactState state = contact_state(c, lambda);
      n_stick += state == ContactState::stick ? 1 : 0;
      n_slip += state == ContactState::slip ? 1 : 0;
    };
    for (int k = 0; k < contacts.near.n_obstacle; ++k) {
      const int place = node * contacts.near.n_obstacle + k;
      if (memory.read(contacts.slot + place) < 0) continue;
      ++n_contact;
      const auto lambda = memory.template load_unpadded_node<double>(contacts.kept, place);
      if (lambda.x == 0 && lambda.y == 0 && lambda.z == 0) continue;  // no contact force
      const Contact<double> c = contact_at(contacts, soft, node, k, memory);
      force += transpose_times(c.R, lambda);
      count(c, lambda);
    }
    for_node_pairs(
        this->batch, e, contacts.row[node],
        [&](std::int32_t p, int place) {
          if (place > 0) return;  // counted with the first node of the pair
          const PairContact& pair = memory.read_in_place(this->batch.pairs.pair + p);
          ++n_contact;
          count(pair.contact, pair.lambda);
        },
        memory);
    const NodeMotion end =
        end_of_step(soft.step, load_motion(soft, node, memory), this->solution(e, node, memory));
    return {{force.x, force.y, force.z, static_cast<double>(n_contact),
             static_cast<double>(n_stick), static_cast<double>(n_slip),
             is_finite(end) ? 0.0 : 1.0}};
  }
};

/// Combines the sums of each environment into its SoftEnd, one item per environment.
template <class Precision>
struct ContactTotalsOfEnvironments : NodeTotals<Precision, ContactTotals> {
  using Base = NodeTotals<Precision, ContactTotals>;
  using typename Base::Shared;

  template <class Memory>
  NODIA_HD bool enabled(int e, Memory) const {
    return this->batch.contacts[e].near.n_node > 0;
  }

  template <int phase, class Isa, class Memory>
  NODIA_HD void run(int e, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase < Base::kLast) {
      this->template combine<phase, Isa>(e, lane, shared, memory);
    } else {
      const auto result = [&](int i) { return shared.result(i, memory); };
      const auto count = [&](int i) { return static_cast<std::int32_t>(result(i)); };
      SoftEnd end;
      end.obstacle_force_N = {result(0), result(1), result(2)};
      end.n_contact = count(3);
      end.n_stick = count(4);
      end.n_slip = count(5);
      end.is_finite = result(6) == 0;
      end.is_reached = end.is_finite && is_solved(e, memory);
      memory.write(this->batch.end + e, end);
    }
  }

 private:
  /// Returns whether evaluate_from (host/solvers/report.hpp) finds a solution there.
  template <class Memory>
  NODIA_HD bool is_solved(int e, Memory memory) const {
    const auto evaluation = memory.read(this->batch.evaluation + e);
    return memory.read(&this->batch.env[e].control->status) != SolveStatus::not_a_number &&
           evaluation.is_finite && are_finite(errors_of(evaluation.sums, this->batch.soft[e].step));
  }
};

/// Runs after launch_evaluation while positions and velocities are those of the start of the step.
/// Writes nothing for inactive environments.
template <class Launcher, class Precision>
void launch_contact_totals(Launcher&& launcher, const SoftStepBatch<Precision>& batch) {
  ContactTotalsOfNodes<Precision> nodes;
  nodes.batch = batch;
  launcher.launch("contact_totals_of_nodes", nodes, batch.n_env * batch.n_chunk);
  ContactTotalsOfEnvironments<Precision> environments;
  environments.batch = batch;
  launcher.launch("contact_totals_of_environments", environments, batch.n_env);
}

}  // namespace nodia
