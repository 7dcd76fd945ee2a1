#include "scenarios/checks/sticks_and_slips.hpp"

#include <algorithm>
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

class StickSlipEvaluator : public CheckEvaluator {
 public:
  StickSlipEvaluator(const std::string& name, const Scene& scene, const SticksAndSlips& check)
      : CheckEvaluator(name, "sticking and slipping, each", "nodes"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        nodes_(check.nodes) {}
  void observe(const StepView& view) override {
    if (!window_.contains(view.record.time_s)) return;
    most_ = std::max(most_, std::min(view.record.n_stick, view.record.n_slip));
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(); }
  CheckResult result() const override { return at_least(most_, nodes_); }
  void archive(Archive& a) override {
    a("window", window_);
    a("most", most_);
  }

 private:
  Window window_;
  int nodes_;
  int most_ = 0;
};

}  // namespace

void validate(const SticksAndSlips& check, const std::string& path, const Scene& scene) {
  require_window(path, scene, check.from_s, check.to_s);
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const SticksAndSlips& check) {
  return std::make_unique<StickSlipEvaluator>(name, scene, check);
}

}  // namespace nodia
