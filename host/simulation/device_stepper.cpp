#include "host/simulation/device_stepper.hpp"

#include <algorithm>
#include <utility>

#include "host/simulation/run_step.hpp"
#include "host/solvers/catalogue.hpp"

namespace nodia {
namespace {

constexpr int kMostDoublings = 5;  ///< limits the steps that the host builds after a rejection

/// Ranges of the environments e in [0, n_env) for which has(e) is true.
template <class Has>
std::vector<EnvironmentRange> ranges_where(std::size_t n_env, const Has& has) {
  std::vector<EnvironmentRange> ranges;
  for (int e = 0; e < static_cast<int>(n_env); ++e) {
    if (!has(e)) continue;
    if (ranges.empty() || ranges.back().end != e) ranges.push_back({e, e});
    ++ranges.back().end;
  }
  return ranges;
}

bool has(const std::vector<EnvironmentRange>& ranges, int env) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [env](const EnvironmentRange& range) { return range.has(env); });
}

}  // namespace

DeviceStepper::DeviceStepper(const SolverOptions& options, Environments* envs)
    : envs_(*envs),
      batch_(pointers_of(*envs), options.execution.threads),
      solver_(make_device_batch_solver(options)),
      restarts_(envs->size(), 0) {}

void DeviceStepper::step(const Steps& steps, std::vector<StepRecord>* records,
                         std::vector<char>* stepped) {
  stepped->assign(envs_.size(), 0);
  std::vector<char> now(envs_.size());
  const bool may_prefetch = !steps.each || steps.reads_follow_hint;
  bool continues = true;
  for (int k = 0; k < steps.count && (continues || solver_->n_prefetched() > 0); ++k) {
    run_next(may_prefetch && continues ? steps.count - k : 1, records->data(), now.data());
    try {
      for (std::size_t e = 0; e < now.size(); ++e) {
        if (!now[e]) continue;
        (*stepped)[e] = 1;
        if (steps.each) steps.each(static_cast<int>(e));
      }
      if (steps.continues && !steps.continues()) continues = false;
    } catch (...) {
      while (solver_->n_prefetched() > 0) run_next(1, records->data(), now.data());
      throw;
    }
  }
}

/// Number of steps that the device may start before the host has read the prepared one.
/// @param n_known  number of steps, from the prepared one on, without a command in between
int DeviceStepper::n_prefetch(int n_known) const {
  const auto can_be = [&](int k) {
    return std::all_of(envs_.begin(), envs_.end(), [k](const std::unique_ptr<Environment>& env) {
      return env->device_end().can_prefetch(k);
    });
  };
  const auto is_asked = [&](int k) {
    for (std::size_t e = 0; will_read_ && e < envs_.size(); ++e)
      if (will_read_(static_cast<int>(e), envs_[e]->n_step() + 1 + k)) return true;
    return false;
  };
  int k = 0;
  if (n_known < 2 || !can_be(0)) return 0;
  while (k < n_known - 1 && k < PrefetchedSteps::kMost && !is_asked(k) && can_be(k + 1)) ++k;
  return k;
}

/// @param n_known  see n_prefetch()
void DeviceStepper::run_next(int n_known, StepRecord* records, char* stepped) {
  end_download();
  const bool on_device = !std::exchange(builds_next_, false) && can_keep_on_device();
  n_asked_ = 0;
  if (!on_device || !run_on_device(n_known, records, stepped)) run_on_host(records, stepped);
}

/// Advances by a step whose contacts the device makes. @return false if it rejected the step
bool DeviceStepper::run_on_device(int n_known, StepRecord* records, char* stepped) {
  batch_.prepare(restarts_);
  restarts_.assign(envs_.size(), 0);
  PrefetchedSteps ahead{n_prefetch(n_known), [this](int k, int env) {
                          DeviceEnd& end = envs_[static_cast<std::size_t>(env)]->device_end();
                          return end.prefetched_poses(k);
                        }};
  solver_->solve_step(batch_.problem(), batch_.initial_guess(), std::move(ahead), &solution_);
  if (solution_.is_rejected) {
    roll_back();
    n_to_build_ = (1 << std::min(n_rejected_++, kMostDoublings)) - 1;
    return false;
  }
  n_rejected_ = 0;
  begin_download();
  batch_.finish_on_device(
      solution_, [this](const std::vector<char>& needed) { complete_solution(needed); }, this,
      records, stepped);
  download_ends(std::exchange(complete_, {}));
  return true;
}

/// Advances by a step that the host builds.
void DeviceStepper::run_on_host(StepRecord* records, char* stepped) {
  download_all();
  restarts_.assign(envs_.size(), 0);
  run_step(&batch_, solver_.get(), &solution_, records, stepped);
  if (!batch_.has_soft_pairs()) n_to_build_ = 0;
  builds_next_ = n_to_build_ > 0;
  if (builds_next_) --n_to_build_;
}

/// True if the end of the coming step can stay on the device. The host finds the contacts of
/// environments that restart, and contacts of soft surfaces may be among them.
bool DeviceStepper::can_keep_on_device() const {
  return batch_.can_solver_make_contacts() && solver_->makes_contacts(batch_.problem()) &&
         (!batch_.has_soft_searches() ||
          std::find(restarts_.begin(), restarts_.end(), 1) == restarts_.end());
}

/// Rolls the environments back to the start of the step that the device has rejected.
void DeviceStepper::roll_back() {
  const std::vector<EnvironmentRange> ranges = on_device();
  complete_solution(ranges);
  for (const EnvironmentRange& range : ranges) batch_.roll_back(range, solution_);
}

/// Begins to download the environments of the prefetch hint while the host makes the records.
void DeviceStepper::begin_download() {
  if (!will_read_) return;
  std::vector<EnvironmentRange> ranges = ranges_where(envs_.size(), [&](int e) {
    const Environment& env = *envs_[static_cast<std::size_t>(e)];
    return !env.failed() && will_read_(e, env.n_step() + 1);
  });
  if (ranges.empty()) return;
  solver_->begin_download(ranges);
  begun_ = std::move(ranges);
}

void DeviceStepper::end_download() {
  if (begun_.empty()) return;
  const std::vector<EnvironmentRange> ranges = std::exchange(begun_, {});
  solver_->end_download(&solution_);
  download_ends(ranges);
}

/// Completes the solution for environments whose step the host must finish.
void DeviceStepper::complete_solution(const std::vector<char>& needed) {
  if (!begun_.empty()) {
    complete_ = std::exchange(begun_, {});
    solver_->end_download(&solution_);
  }
  complete_solution(ranges_where(needed.size(), [&](int e) {
    return needed[static_cast<std::size_t>(e)] && !has(complete_, e);
  }));
}

void DeviceStepper::complete_solution(const std::vector<EnvironmentRange>& ranges) {
  if (ranges.empty()) return;
  solver_->begin_download(ranges);
  solver_->end_download(&solution_);
}

void DeviceStepper::download_ends(const std::vector<EnvironmentRange>& ranges) {
  for (const EnvironmentRange& range : ranges) batch_.download_ends(range, solution_);
}

/// Environments whose end of the last step is on the device.
std::vector<EnvironmentRange> DeviceStepper::on_device() const {
  return ranges_where(envs_.size(), [&](int e) { return batch_.is_on_device(e); });
}

void DeviceStepper::download_all() {
  end_download();
  const std::vector<EnvironmentRange> ranges = on_device();
  complete_solution(ranges);
  download_ends(ranges);
}

/// Downloads one environment at first. A caller that reads environments in order will probably read
/// all of them: each download in such a sequence is as large as all before it.
void DeviceStepper::download(int env) {
  end_download();
  if (!batch_.is_on_device(env)) return;
  if (env != asked_end_) n_asked_ = 0;
  const auto n_env = static_cast<int>(envs_.size());
  const int most = std::min(n_env, env + std::max(1, n_asked_));
  EnvironmentRange range{env, env + 1};
  while (range.end < most && batch_.is_on_device(range.end)) ++range.end;
  complete_solution(std::vector{range});
  download_ends({range});
  n_asked_ += range.end - env;
  asked_end_ = range.end;
  while (asked_end_ < n_env && !batch_.is_on_device(asked_end_)) ++asked_end_;
}

void DeviceStepper::replace(int env) {
  end_download();
  Environment* const other = envs_[static_cast<std::size_t>(env)].get();
  if (!batch_.has_place_for(env, other)) {
    download_all();
    builds_next_ = true;
  }
  batch_.replace(env, other);
  reset(env);
}

}  // namespace nodia
