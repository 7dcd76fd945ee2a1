/// The V-FPI loop as a sequence of kernels: the same on the CPU, on the device, as a graph or
/// launched by the host, and on the launcher that mimics the device.
///
/// A Launcher has
///   launch(name, kernel, n_item)   n_item a number, or where the backend finds it
///   repeat_while(condition, body)  body() while condition->running, at most condition->max_body
///                                  times, decided where the backend runs
#pragma once

#include "kernels/vfpi/copy_best.hpp"
#include "kernels/vfpi/environment.hpp"
#include "kernels/vfpi/iterate.hpp"
#include "kernels/vfpi/iterate_in_phases.hpp"
#include "kernels/vfpi/measure.hpp"
#include "kernels/vfpi/update_queue.hpp"
#include "kernels/vfpi/w/diagonal.hpp"

namespace nodia {

/// What the schedule's kernels and their order depend on, and nothing else: of the options, and of
/// what the environments of a batch need, so that no kernel is launched that none does. A recording
/// serves whoever has an equal key.
struct ScheduleKey {
  StopRule stop = StopRule::residual;
  int check_every = 0;
  WKind w = WKind::frobenius;
  int power_products = 0;   ///< largest number of any environment
  std::uint32_t parts = 0;  ///< parts_of any environment
  bool in_one_pass = false, in_phases = false, coupled = false, rows_share_contacts = false;
  ContactCase one_pass_contacts = ContactCase::common;  ///< of environments in one pass
  bool cancel_bias = false;
  bool fills_matrix = true;  ///< from block_value; otherwise the planes are there

  bool operator==(const ScheduleKey&) const = default;
};

template <class Precision, class Launcher>
class VfpiSchedule {
 public:
  /// @param batch, queue  in the backend's memory
  VfpiSchedule(Launcher* launcher, const ScheduleKey& key, const VfpiBatch<Precision>* batch,
               VfpiQueue* queue)
      : launcher_(*launcher), key_(key), batch_(batch), queue_(queue) {}

  /// From the problem and the starting point to the last environment's stop.
  void solve() {
    start();
    launcher_.repeat_while(&queue_->loop, [&] { iterate_and_test(); });
  }

  // For parts of W.
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
  /// Calls hook(part) for the parts of W that any environment has.
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
    if (key_.power_products > 0) {
      chunks<StepSize>("step_size");
      parts([&](auto part) { part.unguarded(*this); });
    }
    for (int k = 0; k < key_.power_products; ++k) {
      chunks<PowerProduct>("power_product");
      if (key_.parts != 0) chunks<PowerOfParts>("power_of_parts");
      environments("power_decision", make<PowerDecision>());
      parts([&](auto part) { part.power_product(*this); });
      chunks<PowerUpdate>("power_update");
      parts([&](auto part) { part.power(*this); });
    }
    test(true);
  }

  void test(bool start) {
    constexpr bool kMixed = VfpiEnvironment<Precision>::kIncrement;
    const bool residual_rule = key_.stop == StopRule::residual;
    if (residual_rule) parts([&](auto part) { part.before_measurement(*this); });
    if (!start || !kMixed) {
      if (residual_rule) measure_residual(false);
      if (residual_rule && (start || key_.rows_share_contacts)) measure_contacts(start);
      decide_test(start, false);
    }
    if (kMixed) {
      measure_residual(true);
      if (start && residual_rule) measure_contacts(true);
      decide_test(start, true);
    }
    chunks<CopyBest>("copy_best");
    parts([&](auto part) { part.after_test(*this); });
    if (!start) {
      chunks<SafeStepSize>("safe_step_size");
      parts([&](auto part) { part.safe(*this); });
    }
    launcher_.launch("update_queue", queue_update(false), 1);
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
    for (int k = 0; k < key_.check_every; ++k) iterate(k == key_.check_every - 1);
    test(false);
  }

  void iterate(bool last) {
    if (key_.in_one_pass) {
      if (key_.one_pass_contacts == ContactCase::common)
        iterate_in_one_pass<ContactCase::common>("iterate_common", last);
      else
        iterate_in_one_pass<ContactCase::general>("iterate", last);
    }
    if (key_.in_phases) iterate_in_phases();
    auto decision = make<IterationDecision>();
    decision.last = last;
    environments("iteration_decision", decision);
  }

  template <ContactCase contacts>
  void iterate_in_one_pass(const char* name, bool last) {
    Iterate<Precision, contacts> kernel;
    kernel.batch = batch_;
    kernel.last = last;
    chunks(name, kernel);
  }

  void iterate_in_phases() {
    chunks<Gradient>("gradient");
    parts([&](auto part) { part.gradient(*this); });
    if (is_barzilai_borwein(key_.w)) {
      chunks<Curvature>("curvature");
      environments("alpha", make<AlphaDecision>());
    }
    chunks<WorldContacts>("world_contacts");
    parts([&](auto part) { part.step(*this); });
    if (key_.coupled) {
      chunks<CoupledRowVelocity>("coupled_row_velocity");
      chunks<CoupledContacts>("coupled_contacts");
      chunks<CoupledRowVelocity>("coupled_row_velocity");
    }
    chunks<Accelerate>("accelerate");
  }

  Launcher& launcher_;
  ScheduleKey key_;
  const VfpiBatch<Precision>* batch_;
  VfpiQueue* queue_;
};

}  // namespace nodia
