/// The V-FPI loop as a sequence of kernels: the same on the CPU, on the device, where it becomes a
/// graph, and on the launcher that mimics the device.
///
/// A Launcher has
///   launch(name, kernel, n_item)   n_item a number, or where the backend finds it
///   repeat_while(condition, body)  body() while condition->running, at most condition->max_body
///                                  times, decided where the backend runs
#pragma once

#include "kernels/vfpi/copy_best.hpp"
#include "kernels/vfpi/iterate.hpp"
#include "kernels/vfpi/iterate_in_phases.hpp"
#include "kernels/vfpi/measure.hpp"
#include "kernels/vfpi/row_groups.hpp"
#include "kernels/vfpi/step_size.hpp"
#include "kernels/vfpi/update_queue.hpp"

namespace nodia {

/// What the environments of a batch need, so that no kernel is launched that none does.
struct VfpiPlan {
  VfpiOptions options;
  int power_products = 0;  ///< largest number of any environment
  bool in_one_pass = false, in_phases = false, coupled = false, several = false;
  bool virtual_nodes = false, groups = false, chains = false, cancel_bias = false;
};

template <class Precision, class Launcher>
class VfpiSchedule {
 public:
  /// @param batch, queue  in the backend's memory
  VfpiSchedule(Launcher* launcher, const VfpiPlan& plan, const VfpiBatch<Precision>* batch,
               VfpiQueue* queue)
      : launcher_(*launcher), plan_(plan), batch_(batch), queue_(queue) {}

  /// From the problem and the starting point to the last environment's stop.
  void solve() {
    start();
    launcher_.repeat_while(&queue_->loop, [&] { iterate_and_test(); });
  }

 private:
  template <class Kernel>
  void chunks(const char* name, const Kernel& kernel) {
    launcher_.launch(name, kernel, &queue_->n_work);
  }
  template <class Kernel>
  void environments(const char* name, const Kernel& kernel) {
    launcher_.launch(name, kernel, &queue_->n_active);
  }
  /// A kernel with its batch.
  template <template <class> class Kernel>
  Kernel<Precision> make() const {
    Kernel<Precision> kernel;
    kernel.batch = batch_;
    return kernel;
  }
  UpdateQueue<Precision> queue_update(bool everyone) const { return {batch_, queue_, everyone}; }

  void start() {
    launcher_.launch("update_queue", queue_update(true), 1);
    chunks("fill_matrix", make<FillMatrix>());
    if (plan_.power_products > 0) {
      chunks("step_size", make<StepSize>());
      if (plan_.virtual_nodes) tie_step_size<false>();
    }
    for (int k = 0; k < plan_.power_products; ++k) {
      chunks("power_product", make<PowerProduct>());
      if (plan_.virtual_nodes || plan_.groups || plan_.chains)
        chunks("power_ties", make<PowerTies>());
      environments("power_decision", make<PowerDecision>());
      if (plan_.virtual_nodes) chunks("tied_power", make<TiedPower>());
      chunks("power_update", make<PowerUpdate>());
      if (plan_.groups) chunks("group_power", make<GroupPower>());
      if (plan_.chains) chunks("chain_power", make<ChainPower>());
    }
    test(true);
  }

  void test(bool start) {
    constexpr bool kMixed = VfpiEnvironment<Precision>::kIncrement;
    const bool residual_rule = plan_.options.stop == StopRule::residual;
    if (residual_rule && plan_.virtual_nodes) {
      chunks("point_velocities", make<PointVelocities>());
      chunks("tied_forces", make<TiedForces>());
    }
    if (!start || !kMixed) {
      if (residual_rule) measure_residual(false);
      if (residual_rule && (start || plan_.several)) measure_contacts(start);
      decide_test(start, false);
    }
    if (kMixed) {
      measure_residual(true);
      if (start && residual_rule) measure_contacts(true);
      decide_test(start, true);
    }
    chunks("copy_best", make<CopyBest>());
    if (plan_.cancel_bias) chunks("move_bias", make<MoveBias>());
    if (!start) {
      chunks("safe_step_size", make<SafeStepSize>());
      if (plan_.virtual_nodes) tie_step_size<true>();
    }
    launcher_.launch("update_queue", queue_update(false), 1);
  }

  template <bool safe>
  void tie_step_size() {
    TieStepSize<Precision, safe> kernel;
    kernel.batch = batch_;
    chunks("tie_step_size", kernel);
  }

  /// @param exact  mixed precision: with the double matrix
  void measure_residual(bool exact) {
    if constexpr (VfpiEnvironment<Precision>::kIncrement) {
      auto copy = make<CopyTested>();
      copy.exact = exact;
      chunks("copy_tested", copy);
    }
    auto kernel = make<MeasureResidual>();
    kernel.exact = exact;
    chunks("measure_residual", kernel);
  }

  void measure_contacts(bool start) {
    auto kernel = make<MeasureContacts>();
    kernel.start = start;
    chunks("measure_contacts", kernel);
  }

  void decide_test(bool start, bool exact) {
    auto kernel = make<TestDecision>();
    kernel.start = start;
    kernel.exact = exact;
    environments("test_decision", kernel);
  }

  void iterate_and_test() {
    for (int k = 0; k < plan_.options.check_every; ++k) iterate(k == plan_.options.check_every - 1);
    test(false);
  }

  void iterate(bool last) {
    if (plan_.in_one_pass) {
      auto kernel = make<Iterate>();
      kernel.last = last;
      chunks("iterate", kernel);
    }
    if (plan_.in_phases) {
      chunks("gradient", make<Gradient>());
      if (plan_.virtual_nodes) {
        chunks("tie_forces", make<TieForces>());
        chunks("tied_gradient", make<TiedGradient>());
      }
      if (is_barzilai_borwein(plan_.options.w)) {
        chunks("curvature", make<Curvature>());
        environments("alpha", make<AlphaDecision>());
      }
      chunks("world_contacts", make<WorldContacts>());
      if (plan_.groups) chunks("group_step", make<GroupStep>());
      if (plan_.chains) chunks("chain_step", make<ChainStep>());
      if (plan_.coupled) {
        chunks("coupled_row_velocity", make<CoupledRowVelocity>());
        chunks("coupled_contacts", make<CoupledContacts>());
        chunks("coupled_row_velocity", make<CoupledRowVelocity>());
      }
      chunks("accelerate", make<Accelerate>());
    }
    auto decision = make<IterationDecision>();
    decision.last = last;
    environments("iteration_decision", decision);
  }

  Launcher& launcher_;
  VfpiPlan plan_;
  const VfpiBatch<Precision>* batch_;
  VfpiQueue* queue_;
};

}  // namespace nodia
