/// Schedule of the V-FPI loop: one sequence of kernels for the CPU, the device (as a graph or
/// launched by the host) and the race detector.
///
/// A Launcher has
///   launch(name, kernel, n_item)   n_item: a number, or its address in the backend's memory
///   repeat_while(condition, body)  runs body() while condition->running, at most
///                                  condition->max_body times; the backend decides
/// and may have launch_then and launch_last of kernels/launch/decision.hpp, and
///   begin_loop()                   marks the begin of the loop
#pragma once

#include "kernels/launch/decision.hpp"
#include "kernels/launch/in_order.hpp"
#include "kernels/vfpi/copy_best.hpp"
#include "kernels/vfpi/environment.hpp"
#include "kernels/vfpi/iterate.hpp"
#include "kernels/vfpi/iterate_in_phases.hpp"
#include "kernels/vfpi/measure.hpp"
#include "kernels/vfpi/update_queue.hpp"
#include "kernels/vfpi/w/diagonal.hpp"

namespace nodia {

/// Everything that determines the kernels of the schedule and their order: options, and needs of
/// the environments of a batch. Equal keys may share a recording.
struct ScheduleKey {
  StopRule stop = StopRule::residual;
  int check_every = 0;
  WKind w = WKind::frobenius;
  bool new_w = false;       ///< some environment computes W again
  std::uint32_t parts = 0;  ///< parts_of of all environments, combined
  bool in_one_pass = false, in_phases = false, coupled = false, rows_share_contacts = false;
  /// Contact case of the one-pass environments.
  ContactCase one_pass_contacts = ContactCase::common;
  bool fills_matrix = true;  ///< from block_value; false: the columns are already filled

  bool operator==(const ScheduleKey&) const = default;
};

template <class Precision, class Launcher>
class VfpiSchedule {
 public:
  /// @param batch, queue  in the backend's memory
  VfpiSchedule(Launcher* launcher, const ScheduleKey& key, const VfpiBatch<Precision>* batch,
               VfpiQueue* queue)
      : launcher_(*launcher), key_(key), batch_(batch), queue_(queue) {}

  /// Launches everything from the problem and the starting point to the last environment's stop.
  void solve() {
    start();
    if constexpr (requires { launcher_.begin_loop(); }) launcher_.begin_loop();
    launcher_.repeat_while(&queue_->loop, [&] { iterate_and_test(); });
  }

  // Interface for preconditioner blocks.
  const ScheduleKey& key() const { return key_; }
  /// Launches a kernel over the chunks of the environments that iterate.
  template <template <class> class Kernel>
  void chunks(const char* name) {
    chunks(name, make<Kernel>());
  }

 private:
  template <class Kernel>
  void chunks(const char* name, const Kernel& kernel) {
    launcher_.launch(name, kernel, &queue_->n_work);
  }
  /// Launches such a kernel with a decision over its environments.
  template <class Kernel, class Decision>
  void chunks_then(const char* name, const Kernel& kernel, const char* decision_name,
                   const Decision& decision) {
    launch_then(launcher_, name, kernel, &queue_->n_work, decision_name, decision, &queue_->n_env);
  }
  /// Two kernels, one after the other in one launch.
  template <class First, class Second>
  static InOrder<First, Second> in_order(const First& first, const Second& second) {
    return {first, second};
  }
  template <class Kernel>
  static WhereEnabled<Kernel> where_enabled(const Kernel& kernel) {
    return {kernel};
  }
  /// Makes a kernel with its batch.
  template <template <class> class Kernel>
  Kernel<Precision> make() const {
    Kernel<Precision> kernel;
    kernel.batch = batch_;
    return kernel;
  }
  UpdateQueue<Precision> queue_update(bool everyone) const { return {batch_, queue_, everyone}; }
  /// Calls hook(part) for the preconditioner blocks that some environment has.
  template <class Hook>
  void parts(const Hook& hook) {
    std::uint32_t bit = 1;
    PartsOfW::for_each([&](auto part) {
      if ((key_.parts & bit) != 0) hook(part);
      bit <<= 1;
    });
  }

  void start() {
    launcher_.launch("update_queue", queue_update(true), 1);
    if (key_.fills_matrix) chunks<FillMatrix>("fill_matrix");
    if (key_.new_w) {
      chunks<StepSize>("step_size");
      parts([&](auto part) { part.unguarded(*this); });
      launcher_.repeat_while(&queue_->power, [&] { power_product(); });
    }
    test(true);
  }

  void power_product() {
    if (key_.parts == 0) {
      chunks_then("power_product", make<PowerProduct>(), "power_decision", make<PowerDecision>());
    } else {
      chunks<PowerProduct>("power_product");
      chunks_then("power_of_parts", make<PowerOfParts>(), "power_decision", make<PowerDecision>());
    }
    parts([&](auto part) { part.power_product(*this); });
    launch_last(launcher_, "power_update", make<PowerUpdate>(), &queue_->n_work, "power_queue",
                PowerQueue<Precision>{batch_, queue_});
    parts([&](auto part) { part.power(*this); });
  }

  bool parts_add_to_A() const { return (key_.parts & PartsOfW::kAddToA) != 0; }

  void test(bool start) {
    constexpr bool kMixed = VfpiEnvironment<Precision>::kIncrement;
    const bool residual_rule = key_.stop == StopRule::residual;
    if constexpr (kMixed)
      if (start) chunks<CopyStart>("copy_start");
    if (residual_rule && parts_add_to_A()) chunks<MeasureParts>("measure_parts");
    if (residual_rule || kMixed)
      measure(start, residual_rule && (start || key_.rows_share_contacts));
    else
      launcher_.launch("test_decision", test_decision(start), &queue_->n_env);
    carry_out_orders(start);
  }

  /// Launches a measurement and its decision.
  void measure(bool start, bool of_contacts) {
    auto contacts = make<MeasureContacts>();
    contacts.start = start;
    const auto decision = test_decision(start);
    if (of_contacts)
      chunks_then("measure_errors", in_order(make<MeasureResidual>(), where_enabled(contacts)),
                  "test_decision", decision);
    else
      chunks_then("measure_residual", make<MeasureResidual>(), "test_decision", decision);
  }

  TestDecision<Precision> test_decision(bool start) const {
    auto decision = make<TestDecision>();
    decision.start = start;
    return decision;
  }

  /// Launches the commands of a test, and lists the environments that iterate next.
  void carry_out_orders(bool start) {
    const auto copy = where_enabled(make<CopyBest>());
    const auto rows = in_order(copy, where_enabled(make<SafeStepSize>()));
    if (start)
      end_of_body("copy_best", copy);
    else if (parts_add_to_A())
      end_of_body("orders", in_order(rows, where_enabled(make<OrdersToParts>())));
    else
      end_of_body("orders", rows);
  }
  template <class Kernel>
  void end_of_body(const char* name, const Kernel& kernel) {
    launch_last(launcher_, name, kernel, &queue_->n_work, "update_queue", queue_update(false));
  }

  void iterate_and_test() {
    for (int k = 0; k < key_.check_every; ++k) iterate(k == key_.check_every - 1);
    test(false);
  }

  void iterate(bool last) {
    if (key_.in_phases)
      iterate_in_phases(last);
    else if (key_.in_one_pass)
      iterate_in_one_pass(last);
  }

  void iterate_in_one_pass(bool last) {
    if (key_.one_pass_contacts == ContactCase::common)
      end_of_iteration("iterate_common", Iterate<Precision, ContactCase::common>{}, last);
    else
      end_of_iteration("iterate", Iterate<Precision, ContactCase::general>{}, last);
  }

  void iterate_in_phases(bool last) {
    const bool barzilai_borwein = is_barzilai_borwein(key_.w);
    if (parts_add_to_A()) {
      chunks("gradient", in_order(make<Gradient>(), make<OwnGradientOfParts>()));
      if (barzilai_borwein) {
        choose_alpha("curvature", in_order(make<GradientOfParts>(), make<Curvature>()));
        chunks<WorldContacts>("world_contacts");
      } else {
        chunks("world_contacts", in_order(make<GradientOfParts>(), make<WorldContacts>()));
      }
    } else {
      if (barzilai_borwein)
        choose_alpha("gradient", in_order(make<Gradient>(), make<Curvature>()));
      else
        chunks<Gradient>("gradient");
      chunks<WorldContacts>("world_contacts");
    }
    if ((key_.parts & PartsOfW::bit_of<ChainPart>()) != 0)
      chunks("coupled_contacts", in_order(make<CoupledContacts>(), make<ChainStep>()));
    else if (key_.coupled || (key_.parts & ~PartsOfW::kAddToA) != 0)
      chunks<CoupledContacts>("coupled_contacts");
    if (key_.in_one_pass)
      end_of_iteration("accelerate_or_iterate", AccelerateOrIterate<Precision>{}, last);
    else
      end_of_iteration("accelerate", Accelerate<Precision>{}, last);
  }
  template <class Kernel>
  void choose_alpha(const char* name, const Kernel& kernel) {
    chunks_then(name, kernel, "alpha", make<AlphaDecision>());
  }

  template <class Kernel>
  void end_of_iteration(const char* name, Kernel kernel, bool last) {
    kernel.batch = batch_;
    kernel.last = last;
    auto decision = make<IterationDecision>();
    decision.last = last;
    chunks_then(name, kernel, "iteration_decision", decision);
  }

  Launcher& launcher_;
  ScheduleKey key_;
  const VfpiBatch<Precision>* batch_;
  VfpiQueue* queue_;
};

}  // namespace nodia
