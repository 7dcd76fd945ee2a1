#include "host/solvers/cond/cond_batch.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "host/solvers/cond/device_loop.hpp"
#include "host/solvers/report.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"

namespace nodia {
namespace {

template <class Precision>
class CondBatchSolver final : public DeviceBatchSolver {
 public:
  explicit CondBatchSolver(const SolverOptions& options)
      : options_(options), own_(options.of<CondOptions>()), problem_(options, own_) {}

  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override {
    run(problem, warm, {}, out);
    problem_.take_solutions(0, problem.n_env(), out, loop_->solutions());
    evaluate(problem, options_, out);
  }

  /// The host computes the blocks of A in W for preconditioners with blocks, from rows without
  /// contacts.
  bool makes_contacts(const ContactProblem& problem) const override {
    return own_.w != WKind::jacobi && !options_.full_errors &&
           problem_.device_can_make_contacts(problem);
  }

  void solve_step(const ContactProblem& problem, const WarmStart& warm, PrefetchedSteps&& ahead,
                  DeviceSolution* out) override {
    out->is_rejected = !run(problem, warm, std::move(ahead), out);
    if (out->is_rejected) return problem_.withdraw();
    const SoftTotals& totals = loop_->soft_totals();
    for (std::size_t e = 0; e < out->env.size(); ++e)
      evaluate_from(totals.evaluation[e], {problem.step_s, problem.theta}, &out->env[e]);
    out->reports = totals.reports;
  }
  int n_prefetched() const override { return loop_ ? loop_->n_prefetched() : 0; }

  void begin_download(const std::vector<EnvironmentRange>& ranges) override {
    require_solved();
    require_none_prefetched();
    loop_->begin_download(problem_, ranges);
  }
  void end_download(DeviceSolution* out) override {
    require_solved();
    for (const EnvironmentRange& range : loop_->end_download(problem_, out))
      problem_.take_solutions(range.begin, range.end, out, loop_->solutions());
  }

  DeviceNodes gather(const WantedNodes& wanted) override {
    require_none_prefetched();
    for (const WantedNodes::Part& part : wanted.part)
      if (part.on_host == nullptr) require_solved();
    return loop().gather(wanted);
  }

  SolverState state(int env) override {
    require_none_prefetched();
    if (!problem_.has_state(env)) return {};
    download_state(env, env + 1);
    return problem_.state(env).lists();
  }
  void set_state(int env, const SolverState& state) override {
    require_none_prefetched();
    problem_.set_state(env, LoopState::from_lists(state));
  }

 private:
  void require_solved() const {
    if (!is_solved_)
      throw RuntimeError(
          "V-FPI loop: the end of the last steps was lost with the device that failed");
  }
  void require_none_prefetched() const {
    if (n_prefetched() > 0)
      throw RuntimeError(
          "V-FPI loop: the device has begun later steps and no longer has the state that is asked "
          "for (set_prefetch_hint() must announce it)");
  }
  DeviceLoop<Precision>& loop() {
    if (!loop_) loop_.emplace(options_.execution, own_);
    return *loop_;
  }
  /// Runs the loop and reports. If the device fails, its memory is freed, and the next solve starts
  /// without a state.
  /// @return false if the device rejects the step
  bool run(const ContactProblem& problem, const WarmStart& warm, PrefetchedSteps&& ahead,
           Solution* out) {
    const Stopwatch watch;
    if (problem_.needs_rows(problem))
      download_state(0, static_cast<int>(is_state_on_device_.size()));
    problem_.set(problem, warm);
    std::optional<VfpiTimes> all;
    try {
      all = loop().run(&problem_, ahead);
    } catch (...) {
      loop_.reset();
      is_solved_ = false;
      is_state_on_device_.clear();
      throw;
    }
    is_solved_ = true;
    is_state_on_device_.assign(problem_.environments().size(), 1);
    if (!all) return false;
    problem_.take_reports(out);
    const int n_env = problem.n_env();
    const double shared_s = watch.seconds() - all->before_s - all->loop_s;
    for (SolveReport& report : out->env)
      set_times({all->before_s / n_env, all->loop_s / n_env}, shared_s / n_env, &report);
    return true;
  }
  /// Downloads the state of environments [begin, end) where the host does not have it.
  void download_state(int begin, int end) {
    end = std::min(end, static_cast<int>(is_state_on_device_.size()));
    for (int e = begin; e < end; ++e) {
      const int first = e;
      while (e < end && is_state_on_device_[e] != 0) is_state_on_device_[e++] = 0;
      if (first < e) loop_->download_state(&problem_, first, e);
    }
  }

  CommonOptions options_;
  CondOptions own_;
  LoopProblem<Precision> problem_;
  std::optional<DeviceLoop<Precision>> loop_;
  bool is_solved_ = false;                ///< loop_ has the last solve
  std::vector<char> is_state_on_device_;  ///< [n_env] 1: the host lacks the state
};

}  // namespace

std::unique_ptr<DeviceBatchSolver> make_cond_batch_solver(const SolverOptions& options) {
  return make_with_precision<CondBatchSolver, DeviceBatchSolver>(options);
}

}  // namespace nodia
