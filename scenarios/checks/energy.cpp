#include "scenarios/checks/energy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/core/numbers.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

/// Largest rise of a sum that add() follows, step by step.
class EnergyEvaluator : public CheckEvaluator {
 public:
  EnergyEvaluator(const std::string& name, const std::string& title, const Scene& scene,
                  const EnergyRise& check)
      : CheckEvaluator(name, title, "J"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        tolerance_(check.tolerance_J) {}

  void observe(const StepView& view) override {
    if (!window_.contains(view.record.time_s)) return;
    const double energy = add(view.record);
    least_ = std::min(least_, energy);
    rise_ = larger_or_nan(rise_, energy - least_);
    ++n_step_;
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(); }
  CheckResult result() const override { return at_most(rise_, tolerance_); }
  void archive(Archive& a) override {
    a("window", window_);
    a("sum", sum_);
    a("rise", rise_);
    a("least", least_);
    a("n_step", n_step_);
  }

 protected:
  /// @return energy after the step, without work [J]
  virtual double add(const StepRecord& record) = 0;

  double sum_ = 0;
  int n_step_ = 0;  ///< steps before this one

 private:
  Window window_;
  double tolerance_;
  double rise_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
};

class RiseOfEnergy final : public EnergyEvaluator {
 public:
  RiseOfEnergy(const std::string& name, const Scene& scene, const EnergyRise& check)
      : EnergyEvaluator(name, "largest rise of energy", scene, check) {}

 private:
  double add(const StepRecord& r) override {
    if (n_step_ > 0) sum_ += r.frame_work_J + r.push_work_J;
    return r.kinetic_energy_J + r.potential_energy_J - sum_;
  }
};

class RiseOfGain final : public EnergyEvaluator {
 public:
  RiseOfGain(const std::string& name, const Scene& scene, const EnergyRise& check)
      : EnergyEvaluator(name, "largest sum of created energy", scene, check) {}

  std::string nothing_compared() const override {
    const std::string own = EnergyEvaluator::nothing_compared();
    return own.empty() && n_evaluated_ == 0 ? "no step has an energy balance" : own;
  }
  void archive(Archive& a) override {
    EnergyEvaluator::archive(a);
    a("n_evaluated", n_evaluated_);
  }

 private:
  double add(const StepRecord& r) override {
    const bool is_evaluated = !std::isnan(r.energy_gain_J);
    n_evaluated_ += is_evaluated;
    // The first step of a run has no balance.
    return n_step_ > 0 && is_evaluated ? sum_ += r.energy_gain_J : sum_;
  }

  int n_evaluated_ = 0;
};

}  // namespace

void validate(const EnergyRise& check, const std::string& path, const Scene& scene) {
  require_window(path, scene, check.from_s, check.to_s);
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const EnergyNonIncreasing& check) {
  return std::make_unique<RiseOfEnergy>(name, scene, check);
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const EnergyBalance& check) {
  return std::make_unique<RiseOfGain>(name, scene, check);
}

}  // namespace nodia
