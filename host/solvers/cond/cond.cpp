#include "host/solvers/cond/cond.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "host/solvers/cond/cpu_loop.hpp"
#include "host/solvers/cond/device_loop.hpp"
#include "host/solvers/report.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"

namespace nodia {
namespace {

EnvironmentMemory as_lists(const LoopMemory& m) {
  return {{"in_contact", {m.marks.in_contact.begin(), m.marks.in_contact.end()}},
          {"n_chunk", {static_cast<double>(m.marks.n_chunk)}},
          {"n_virtual", {static_cast<double>(m.n_virtual)}},
          {"w_age", {static_cast<double>(m.w_age)}},
          {"lambda_max", {m.lambda_max}},
          {"body_scale", {m.body_scale}},
          {"power", m.power},
          {"w", m.w},
          {"w_unguarded", m.w_unguarded}};
}

/// Nothing where a list is missing.
LoopMemory from_lists(const EnvironmentMemory& lists) {
  LoopMemory m;
  const auto list = [&](const char* name) {
    const auto found = lists.find(name);
    return found == lists.end() ? std::vector<double>{} : found->second;
  };
  const auto number = [&](const char* name) {
    const std::vector<double> numbers = list(name);
    return numbers.size() == 1 ? numbers.front() : 0.0;
  };
  for (const double marked : list("in_contact")) m.marks.in_contact.push_back(marked != 0);
  m.marks.n_chunk = static_cast<std::int32_t>(number("n_chunk"));
  m.n_virtual = static_cast<std::int32_t>(number("n_virtual"));
  m.w_age = static_cast<int>(number("w_age"));
  m.lambda_max = number("lambda_max");
  m.body_scale = number("body_scale");
  m.power = list("power");
  m.w = list("w");
  m.w_unguarded = list("w_unguarded");
  return m;
}

template <class Precision>
class CondSolver : public ContactSolver {
 public:
  CondSolver(const CommonOptions& options, const CondOptions& own)
      : options_(options), own_(own), problem_(options, own) {}

  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override {
    const Stopwatch watch;
    const int n_env = problem.n_env();
    if (problem_.needs_rows(problem)) fetch_kept(0, static_cast<int>(kept_there_.size()));
    problem_.set(problem, warm);
    double shared_s = watch.seconds();
    if (options_.execution.backend == Backend::cuda) {
      const std::optional<VfpiTimes> all = run_on_device();
      out->is_refused = !all;
      if (!all) return problem_.take_back();
      times_.assign(n_env, {all->before_s / n_env, all->loop_s / n_env});
      shared_s = watch.seconds() - all->before_s - all->loop_s;
    } else {
      run_cpu_loop(&problem_, options_.execution.threads, &times_);
    }
    problem_.take_reports(out);
    out->left = {};
    if (!problem_.leaves_contacts())
      problem_.take_answers(0, n_env, out, device_loop_ ? device_loop_->answers() : nullptr);
    for (int e = 0; e < n_env; ++e) {
      SolveReport& report = out->env[e];
      report.before_loop_s = times_[e].before_s;
      report.loop_s = times_[e].loop_s;
      report.time_s = times_[e].before_s + times_[e].loop_s + shared_s / n_env;
    }
    if (!problem_.leaves_contacts()) return judge(problem, options_, out);
    const SoftTotals& totals = device_loop_->soft_totals();
    for (int e = 0; e < n_env; ++e)
      judge_from(totals.judgement[static_cast<std::size_t>(e)], {problem.step_s, problem.theta},
                 &out->env[e]);
    out->left = totals.left;
  }

  void look_ahead(StepsAhead&& ahead) override { ahead_ = std::move(ahead); }
  int n_ahead() const override { return device_loop_ ? device_loop_->n_ahead() : 0; }

  void begin_bringing(const std::vector<EnvironmentRange>& ranges) override {
    if (!solved_on_device_) throw_lost();
    require_none_ahead();
    device_loop_->begin_bringing(problem_, ranges);
  }
  void end_bringing(Solution* out) override {
    if (!solved_on_device_) throw_lost();
    for (const EnvironmentRange& range : device_loop_->end_bringing(problem_, out))
      problem_.take_answers(range.begin, range.end, out, device_loop_->answers());
  }

  DeviceNodes gather(const WantedNodes& wanted) override {
    if (options_.execution.backend != Backend::cuda) return ContactSolver::gather(wanted);
    require_none_ahead();
    for (const WantedNodes::Part& part : wanted.part)
      if (part.here == nullptr && !solved_on_device_) throw_lost();
    if (!device_loop_) device_loop_.emplace(options_.execution, own_);
    return device_loop_->gather(wanted);
  }

  /// Blocks of A in W are the host's: of rows without contacts.
  bool makes_contacts(const ContactProblem& problem) const override {
    const ExecutionOptions& execution = options_.execution;
    return execution.backend == Backend::cuda && execution.product == Product::ours &&
           own_.w != WKind::jacobi && !options_.full_errors && problem_.can_leave_contacts(problem);
  }

  EnvironmentMemory memory(int env) override {
    require_none_ahead();
    if (!problem_.remembers(env)) return {};
    fetch_kept(env, env + 1);
    return as_lists(problem_.memory(env));
  }
  void set_memory(int env, const EnvironmentMemory& memory) override {
    require_none_ahead();
    problem_.set_memory(env, from_lists(memory));
  }

 private:
  [[noreturn]] static void throw_lost() {
    throw RuntimeError(
        "V-FPI loop: the end of the last steps was lost with the device that failed");
  }
  void require_none_ahead() const {
    if (n_ahead() > 0)
      throw RuntimeError(
          "V-FPI loop: steps that follow were launched ahead, and what is asked for of this one is "
          "gone (it must have been foreseen)");
  }
  /// Where it fails, all device memory is given back, and the next solve begins anew.
  std::optional<VfpiTimes> run_on_device() {
    try {
      if (!device_loop_) device_loop_.emplace(options_.execution, own_);
      const auto times = device_loop_->run(&problem_, std::exchange(ahead_, {}));
      solved_on_device_ = true;
      kept_there_.assign(problem_.environments().size(), 1);
      return times;
    } catch (...) {
      device_loop_.reset();
      solved_on_device_ = false;
      kept_there_.clear();
      throw;
    }
  }
  /// What the device holds of the last solve of environments [begin, end), onto the host, once.
  void fetch_kept(int begin, int end) {
    end = std::min(end, static_cast<int>(kept_there_.size()));
    for (int e = begin; e < end; ++e) {
      const int first = e;
      while (e < end && kept_there_[e] != 0) kept_there_[e++] = 0;
      if (first < e) device_loop_->fetch_kept(&problem_, first, e);
    }
  }

  CommonOptions options_;
  CondOptions own_;
  LoopProblem<Precision> problem_;
  std::optional<DeviceLoop<Precision>> device_loop_;
  bool solved_on_device_ = false;  ///< device_loop_ has the last solve
  std::vector<char> kept_there_;   ///< per environment: what the last solve left is there alone
  StepsAhead ahead_;               ///< of the next solve
  std::vector<VfpiTimes> times_;   ///< each environment's own, or its share
};

}  // namespace

std::unique_ptr<ContactSolver> make_cond_solver(const SolverOptions& options) {
  const CondOptions& own = options.of<CondOptions>();
  switch (options.execution.precision) {
    case Precision::mixed:
      return std::make_unique<CondSolver<MixedPrecision>>(options, own);
    case Precision::float_:
      return std::make_unique<CondSolver<FloatPrecision>>(options, own);
    case Precision::double_:
      break;
  }
  return std::make_unique<CondSolver<DoublePrecision>>(options, own);
}

}  // namespace nodia
