/// A ContactProblem solved by the V-FPI schedule on any launcher, as one batch: the way of the
/// device.
#pragma once

#include "host/solvers/cond/loop_problem.hpp"

namespace nodia::test {

template <class Precision>
class LoopBatch {
 public:
  /// @param capacity  environments that iterate at a time
  LoopBatch(LoopProblem<Precision>* problem, int capacity)
      : problem_(*problem), env_(problem->environments()), active_(env_.size()) {
    for (const auto& env : env_) work_.resize(work_.size() + static_cast<std::size_t>(env.n_chunk));
    batch_ = {problem_.options(),
              static_cast<int>(env_.size()),
              capacity,
              env_.data(),
              work_.data(),
              active_.data(),
              &queue_};
    queue_ = waiting_queue(batch_.options, batch_.n_env, capacity);
  }

  template <class Launcher>
  void solve(Launcher* launcher) {
    VfpiSchedule<Precision, Launcher>(launcher, problem_.plan(0, batch_.n_env), &batch_, &queue_)
        .solve();
  }

  /// Calls visit(pointer, bytes, name) for every array of the batch.
  template <class Visit>
  void for_each_array(const Visit& visit) {
    auto& a = problem_.arrays();
    const auto one = [&](const char* name, auto& array) {
      if (!array.empty()) visit(array.data(), array.size() * sizeof(array[0]), name);
    };
    one("env", env_);
    one("work", work_);
    one("active", active_);
    visit(&batch_, sizeof batch_, "batch");
    visit(&queue_, sizeof queue_, "queue");
    one("slice_begin", a.slice_begin);
    one("column", a.column);
    one("block", a.block);
    one("b", a.b);
    one("inverse_mass", a.inverse_mass);
    one("contact_slice", a.contact_slice);
    one("rare_begin", a.rare_begin);
    one("rare", a.rare);
    one("coupled_row", a.coupled_row);
    one("coupled_begin", a.coupled_begin);
    one("coupled_entry", a.coupled_entry);
    one("coupled_count", a.coupled_count);
    one("contact_plane", a.contact_plane);
    one("contact", a.contact);
    one("compliance", a.compliance);
    one("lambda", a.lambda);
    one("control", a.control);
    one("power", a.power);
    one("w", a.w);
    one("w_unguarded", a.w_unguarded);
    one("matrix", a.matrix);
    one("exact", a.exact);
    for (auto& node : a.node) one("node", node);
    one("best", a.best);
    one("gradient", a.gradient);
    one("tested", a.tested);
    one("gradient_before", a.gradient_before);
    one("reference", a.reference);
    one("reference_gradient", a.reference_gradient);
    one("power_product", a.power_product);
    one("best_lambda", a.best_lambda);
    for (auto& increment : a.increment) one("increment", increment);
    one("partial", a.partial);
    one("tie_begin", a.tie_begin);
    one("tie_row", a.tie_row);
    one("tie_jacobian", a.tie_jacobian);
    one("tie_weight", a.tie_weight);
    one("tie_gain", a.tie_gain);
    one("tied_row", a.tied_row);
    one("tied_begin", a.tied_begin);
    one("tied_part", a.tied_part);
    one("tied_force", a.tied_force);
    one("point", a.point);
    one("softness", a.softness);
    one("phi", a.phi);
    one("bias_lambda", a.bias_lambda);
    one("group_begin", a.group_begin);
    one("group_row", a.group_row);
    one("group_value_begin", a.group_value_begin);
    one("group_block", a.group_block);
    one("group_inverse", a.group_inverse);
    one("chain_begin", a.chain_begin);
    one("chain_row", a.chain_row);
    one("chain_free", a.chain_free);
    one("chain_matrix", a.chain_matrix);
    one("chain_work", a.chain_work);
  }

 private:
  LoopProblem<Precision>& problem_;
  std::vector<VfpiEnvironment<Precision>> env_;
  std::vector<WorkItem> work_;
  std::vector<std::int32_t> active_;
  VfpiQueue queue_;
  VfpiBatch<Precision> batch_;
};

}  // namespace nodia::test
