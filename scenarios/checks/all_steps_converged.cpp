#include "scenarios/checks/all_steps_converged.hpp"

namespace nodia {
namespace {

class ConvergedEvaluator : public CheckEvaluator {
 public:
  explicit ConvergedEvaluator(const std::string& name)
      : CheckEvaluator(name, "unconverged", "steps") {}
  void observe(const StepView& view) override {
    if (view.record.solve.status != SolveStatus::converged) ++n_failed_;
    reached_ = true;
  }
  bool reached() const override { return reached_; }
  CheckResult result() const override { return at_most(n_failed_, 0); }
  void archive(Archive& a) override {
    a("n_failed", n_failed_);
    a("reached", reached_);
  }

 private:
  int n_failed_ = 0;
  bool reached_ = false;
};

}  // namespace

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene&,
                                               const AllStepsConverged&) {
  return std::make_unique<ConvergedEvaluator>(name);
}

}  // namespace nodia
