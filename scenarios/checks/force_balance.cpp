#include "scenarios/checks/force_balance.hpp"

#include "scenarios/checks/momentum_balance.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

class BalanceEvaluator : public CheckEvaluator {
 public:
  BalanceEvaluator(const std::string& name, const Scene& scene, const ForceBalance& check)
      : CheckEvaluator(name, "missing force", "N"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        balance_(scene),
        tolerance_N_(check.tolerance_N
                         ? *check.tolerance_N
                         : check.relative_tolerance.value_or(0) * balance_.scale_N()) {}

  void observe(const StepView& view) override {
    const Vec3d missing_N = balance_.missing_N(view);
    if (!window_.contains(view.record.time_s)) return;
    missing_ += missing_N;
    ++n_step_;
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(); }
  CheckResult result() const override { return at_most(norm(missing_) / n_step_, tolerance_N_); }
  void archive(Archive& a) override {
    a("window", window_);
    a("balance", balance_);
    a("missing", missing_);
    a("n_step", n_step_);
  }

 private:
  Window window_;
  MomentumBalance balance_;
  double tolerance_N_;
  Vec3d missing_{};
  int n_step_ = 0;
};

}  // namespace

void validate(const ForceBalance& check, const std::string& path, const Scene& scene) {
  require_window(path, scene, check.from_s, check.to_s);
  require_tolerance(path, check.relative_tolerance, check.tolerance_N);
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const ForceBalance& check) {
  return std::make_unique<BalanceEvaluator>(name, scene, check);
}

}  // namespace nodia
