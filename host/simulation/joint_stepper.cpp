#include "host/simulation/joint_stepper.hpp"

#include <algorithm>
#include <utility>

#include "host/solvers/catalogue.hpp"

namespace nodia {
namespace {

constexpr int kMostDoublings = 5;  ///< of the steps that are built after a refused one

/// Of environments [0, n_env). @param has  has(e)
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

JointStepper::JointStepper(const SolverOptions& options, Environments* envs)
    : envs_(*envs),
      batch_(pointers_of(*envs), options.execution.threads),
      soft_pairs_(options.execution.device, options.execution.loop),
      solver_(make_solver(options)),
      begins_anew_(envs->size(), 0) {}

void JointStepper::step(const Steps& steps, std::vector<StepRecord>* records,
                        std::vector<char>* stepped) {
  stepped->assign(envs_.size(), 0);
  std::vector<char> now(envs_.size());
  const bool follow = !steps.each || steps.asks_as_foreseen;
  bool goes_on = true;
  for (int k = 0; k < steps.count && (goes_on || solver_->n_ahead() > 0); ++k) {
    take_step(follow && goes_on ? steps.count - k : 1, records->data(), now.data());
    try {
      for (std::size_t e = 0; e < now.size(); ++e) {
        if (!now[e]) continue;
        (*stepped)[e] = 1;
        if (steps.each) steps.each(static_cast<int>(e));
      }
      if (steps.go_on && !steps.go_on()) goes_on = false;
    } catch (...) {
      while (solver_->n_ahead() > 0) take_step(1, records->data(), now.data());
      throw;
    }
  }
}

/// How many steps after the prepared one may begin before it has ended.
/// @param n_known  steps, from this one on, that follow each other
int JointStepper::ahead(int n_known) {
  const auto can_be = [&](int k) {
    return std::all_of(envs_.begin(), envs_.end(), [k](const std::unique_ptr<Environment>& env) {
      return env->can_be_ahead(k);
    });
  };
  const auto is_asked = [&](int k) {
    for (std::size_t e = 0; asked_ && e < envs_.size(); ++e)
      if (asked_(static_cast<int>(e), envs_[e]->n_step() + 1 + k)) return true;
    return false;
  };
  int k = 0;
  if (n_known < 2 || !can_be(0)) return 0;
  while (k < n_known - 1 && k < StepsAhead::kMost && !is_asked(k) && can_be(k + 1)) ++k;
  return k;
}

/// @param n_known  steps, from this one on, that follow each other
void JointStepper::take_step(int n_known, StepRecord* records, char* stepped) {
  end_begun();
  bool leaves_end = !std::exchange(builds_next_, false) && can_leave();
  if (leaves_end) {
    batch_.prepare(begins_anew_);
    solver_->look_ahead({ahead(n_known), [this](int k, int env) {
                           return envs_[static_cast<std::size_t>(env)]->obstacles_ahead(k);
                         }});
  } else {
    bring_all();
    batch_.build(&soft_pairs_);
  }
  begins_anew_.assign(envs_.size(), 0);
  n_asked_ = 0;
  solver_->solve(batch_.problem(), batch_.warm(), &solution_);
  if (solution_.is_refused) {
    leaves_end = false;
    build_refused();
    n_to_build_ = (1 << std::min(n_refused_++, kMostDoublings)) - 1;
  } else if (leaves_end) {
    n_refused_ = 0;
  }
  if (!leaves_end) {
    if (!batch_.has_near_surfaces()) n_to_build_ = 0;
    builds_next_ = n_to_build_ > 0;
    if (builds_next_) --n_to_build_;
    return batch_.finish(batch_.problem(), solution_, records, stepped);
  }
  begin_foreseen();
  batch_.leave(
      solution_, [this](const std::vector<char>& needed) { make_whole(needed); }, this, records,
      stepped);
  take_ends(std::exchange(whole_, {}));
}

/// Whether the coming step can be left. Environments that begin anew have their contacts found
/// here, which may be those of soft surfaces.
bool JointStepper::can_leave() const {
  return batch_.can_leave_contacts() && solver_->makes_contacts(batch_.problem()) &&
         (!batch_.has_soft_searches() ||
          std::find(begins_anew_.begin(), begins_anew_.end(), 1) == begins_anew_.end());
}

/// The prepared step, which the solver has refused, as one that was not left.
void JointStepper::build_refused() {
  const std::vector<EnvironmentRange> ranges = left();
  bring_whole(ranges);
  for (const EnvironmentRange& range : ranges) batch_.take_back(range, solution_);
  batch_.build(&soft_pairs_);
  solver_->solve(batch_.problem(), batch_.warm(), &solution_);
}

/// Those that will be asked for come while the records are made.
void JointStepper::begin_foreseen() {
  if (!asked_ || solution_.left.empty()) return;
  std::vector<EnvironmentRange> ranges = ranges_where(envs_.size(), [&](int e) {
    const Environment& env = *envs_[static_cast<std::size_t>(e)];
    return !env.failed() && asked_(e, env.n_step() + 1);
  });
  if (ranges.empty()) return;
  solver_->begin_bringing(ranges);
  begun_ = std::move(ranges);
}

void JointStepper::end_begun() {
  if (begun_.empty()) return;
  const std::vector<EnvironmentRange> ranges = std::exchange(begun_, {});
  solver_->end_bringing(&solution_);
  take_ends(ranges);
}

/// Of environments that cannot leave the end of the step that is being recorded.
void JointStepper::make_whole(const std::vector<char>& needed) {
  if (!begun_.empty()) {
    whole_ = std::exchange(begun_, {});
    solver_->end_bringing(&solution_);
  }
  bring_whole(ranges_where(needed.size(), [&](int e) {
    return needed[static_cast<std::size_t>(e)] && !has(whole_, e);
  }));
}

void JointStepper::bring_whole(const std::vector<EnvironmentRange>& ranges) {
  if (ranges.empty()) return;
  solver_->begin_bringing(ranges);
  solver_->end_bringing(&solution_);
}

void JointStepper::take_ends(const std::vector<EnvironmentRange>& ranges) {
  for (const EnvironmentRange& range : ranges) batch_.take_ends(range, solution_);
}

/// Environments whose end of the last step is the solver's.
std::vector<EnvironmentRange> JointStepper::left() const {
  return ranges_where(envs_.size(), [&](int e) { return batch_.has_left(e); });
}

void JointStepper::bring_all() {
  end_begun();
  const std::vector<EnvironmentRange> ranges = left();
  bring_whole(ranges);
  take_ends(ranges);
}

/// One that is asked for comes alone. Who asks for neighbours in their order goes through all of
/// them, probably: with the third come as many as came before, and so on.
void JointStepper::bring(int env) {
  end_begun();
  if (!batch_.has_left(env)) return;
  if (env != asked_end_) n_asked_ = 0;
  const auto n_env = static_cast<int>(envs_.size());
  const int most = std::min(n_env, env + std::max(1, n_asked_));
  EnvironmentRange range{env, env + 1};
  while (range.end < most && batch_.has_left(range.end)) ++range.end;
  bring_whole({range});
  take_ends({range});
  n_asked_ += range.end - env;
  asked_end_ = range.end;
  while (asked_end_ < n_env && !batch_.has_left(asked_end_)) ++asked_end_;
}

void JointStepper::replace(int env) {
  end_begun();
  Environment* const other = envs_[static_cast<std::size_t>(env)].get();
  if (!batch_.has_place_for(env, other)) {
    bring_all();
    builds_next_ = true;
  }
  batch_.replace(env, other);
  forget(env);
}

}  // namespace nodia
