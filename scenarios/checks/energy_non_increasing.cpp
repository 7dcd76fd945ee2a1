#include "scenarios/checks/energy_non_increasing.hpp"

#include <algorithm>
#include <limits>

#include "kernels/core/numbers.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

class EnergyEvaluator : public CheckEvaluator {
 public:
  EnergyEvaluator(const std::string& name, const Scene& scene, const EnergyNonIncreasing& check)
      : CheckEvaluator(name, "largest rise of energy", "J"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        tolerance_(check.tolerance_J) {}

  void observe(const StepView& view) override {
    if (!window_.contains(view.record.time_s)) return;
    if (n_step_ > 0) work_ += view.record.frame_work_J + view.record.push_work_J;
    const double energy = view.record.kinetic_energy_J + view.record.potential_energy_J - work_;
    least_ = std::min(least_, energy);
    rise_ = larger_or_nan(rise_, energy - least_);
    ++n_step_;
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(); }
  CheckResult result() const override { return at_most(rise_, tolerance_); }
  void archive(Archive& a) override {
    a("window", window_);
    a("work", work_);
    a("rise", rise_);
    a("least", least_);
    a("n_step", n_step_);
  }

 private:
  Window window_;
  double tolerance_;
  double work_ = 0, rise_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  int n_step_ = 0;
};

}  // namespace

void validate(const EnergyNonIncreasing& check, const std::string& path, const Scene& scene) {
  require_window(path, scene, check.from_s, check.to_s);
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const EnergyNonIncreasing& check) {
  return std::make_unique<EnergyEvaluator>(name, scene, check);
}

}  // namespace nodia
