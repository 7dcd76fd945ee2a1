#include "host/solvers/automatic/automatic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "host/base/threads.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/multigrid/aggregate_pool.hpp"
#include "host/solvers/newton/body_balance.hpp"

namespace nodia {
namespace {

constexpr const char *kNewton = "newton", *kCond = "cond";

double tolerance_of_newton(SolverOptions options) {
  options.solver = kNewton;
  return tolerance_of(options);
}

/// Copies the solution of an environment that was solved alone.
void put_solution(const ContactProblem& problem, int env, const Solution& own, Solution* out) {
  std::copy(own.v.begin(), own.v.end(), out->v.begin() + problem.env_node_begin[env]);
  std::copy(own.lambda.begin(), own.lambda.end(),
            out->lambda.begin() + problem.env_contact_begin[env]);
  out->env[static_cast<std::size_t>(env)] = own.env[0];
}

/// Extracts the initial guess of one environment.
WarmStart part_of(const ContactProblem& problem, const WarmStart& warm, int env) {
  WarmStart own;
  if (warm.v.size() == problem.b.size())
    own.v.assign(warm.v.begin() + problem.env_node_begin[env],
                 warm.v.begin() + problem.env_node_begin[env + 1]);
  if (warm.lambda.size() == problem.contacts.size())
    own.lambda.assign(warm.lambda.begin() + problem.env_contact_begin[env],
                      warm.lambda.begin() + problem.env_contact_begin[env + 1]);
  return own;
}

class AutomaticSolver final : public ContactSolver {
 public:
  explicit AutomaticSolver(const SolverOptions& options) : options_(options) {
    options_.stop = StopRule::automatic;
  }

  void solve(const ContactProblem& problem, const WarmStart& warm, Solution* out) override {
    choose(problem);
    if (solvers_.size() == 1) {
      solvers_[0]->solve(problem, warm, out);
    } else {
      out->v.assign(problem.b.size(), Vec3d{});
      out->lambda.assign(problem.contacts.size(), Vec3d{});
      out->env.assign(chosen_.size(), SolveReport{});
      for_each_environment(problem.n_env(), options_.execution.threads, [&](int e) {
        Solution own;
        solvers_[static_cast<std::size_t>(e)]->solve(problem.environment(e),
                                                     part_of(problem, warm, e), &own);
        put_solution(problem, e, own, out);
      });
    }
    for (int e = 0; e < problem.n_env(); ++e) {
      const std::string& chosen = chosen_[static_cast<std::size_t>(e)];
      out->env[static_cast<std::size_t>(e)].solver = chosen;
      if (chosen == kNewton) fall_back(problem, options_, warm, e, out);
    }
  }

  SolverState state(int env) override {
    const auto given = given_.find(env);
    if (given != given_.end()) return given->second;
    const auto e = static_cast<std::size_t>(env);
    if (e >= chosen_.size()) return {};
    SolverState all;
    add_named(chosen_[e], solver_of(env)->state(place_of(env)), &all);
    return all;
  }
  void set_state(int env, const SolverState& state) override { given_[env] = state; }
  void share(const std::shared_ptr<AggregatePool>& aggregates) override {
    aggregates_ = aggregates;
  }

 private:
  std::unique_ptr<ContactSolver> make(const std::string& name) const {
    SolverOptions own = options_;
    own.solver = name;
    return make_solver(own, aggregates_);
  }

  ContactSolver* solver_of(int env) {
    return solvers_[solvers_.size() == 1 ? 0 : static_cast<std::size_t>(env)].get();
  }
  /// Index of an environment in its solver.
  int place_of(int env) const { return solvers_.size() == 1 ? env : 0; }

  /// Makes one solver for all environments if one suits them all, otherwise one for each.
  void choose(const ContactProblem& problem) {
    std::vector<std::string> suitable;
    for (int e = 0; e < problem.n_env(); ++e) suitable.emplace_back(suitable_solver(problem, e));
    if (suitable != chosen_) {
      for (int e = 0; e < static_cast<int>(chosen_.size()); ++e) given_[e] = state(e);
      chosen_ = suitable;
      solvers_.clear();
      const bool one = std::all_of(chosen_.begin(), chosen_.end(),
                                   [&](const std::string& name) { return name == chosen_[0]; });
      if (one)
        solvers_.push_back(make(chosen_.empty() ? kCond : chosen_[0]));
      else
        for (const std::string& name : chosen_) solvers_.push_back(make(name));
    }
    for (const auto& [e, own] : given_)
      if (e < problem.n_env())
        solver_of(e)->set_state(place_of(e), part_named(chosen_[static_cast<std::size_t>(e)], own));
    given_.clear();
  }

  SolverOptions options_;
  std::shared_ptr<AggregatePool> aggregates_ = std::make_shared<AggregatePool>();
  std::vector<std::string> chosen_;                      ///< [n_env] names of the catalogue
  std::vector<std::unique_ptr<ContactSolver>> solvers_;  ///< one for all, or [n_env]
  /// States of environments that the next solve passes to their solvers.
  std::map<int, SolverState> given_;
};

}  // namespace

const char* suitable_solver(const KindOfScene& kind) {
  return kind.has_soft_body && !kind.has_places ? kCond : kNewton;
}

const char* suitable_solver(const ContactProblem& problem, int env) {
  const std::vector<Body>& bodies = problem.topology[static_cast<std::size_t>(env)]->bodies;
  const bool has_soft_body = std::any_of(
      bodies.begin(), bodies.end(), [](const Body& body) { return body.kind == BodyKind::soft; });
  return suitable_solver({has_soft_body, !problem.position.empty()});
}

void fall_back(const ContactProblem& problem, const SolverOptions& options, const WarmStart& warm,
               int env, Solution* out) {
  SolveReport& report = out->env[static_cast<std::size_t>(env)];
  if (report.status == SolveStatus::converged || report.status == SolveStatus::not_a_number) return;
  const std::string failure = fmt::format("newton: {}{}{}", name_of(report.status),
                                          report.reason.empty() ? "" : ", ", report.reason);
  SolverOptions cond = options;
  cond.solver = kCond;
  cond.stop = StopRule::automatic;
  const ContactProblem alone = problem.environment(env);
  const std::vector<Vec3d> start = part_of(problem, warm, env).v;
  const auto every_body_is_right = [&](const WarmStart& solution) {
    return body_error(alone, options, start, solution.v, solution.lambda).share <=
           tolerance_of_newton(options);
  };
  const WarmStart found = part_of(problem, {out->v, out->lambda}, env);
  if (std::max(report.relative_residual, report.natural_map_error) <= tolerance_of(cond) &&
      every_body_is_right(found)) {
    report.status = SolveStatus::converged;
    report.reason = failure + "; its answer meets cond's rule";
    return;
  }
  Solution own;
  make_solver(cond)->solve(alone, found, &own);
  if (own.env[0].status != SolveStatus::converged || !every_body_is_right({own.v, own.lambda}))
    return;
  own.env[0].solver = kCond;
  own.env[0].reason = failure + "; answer of cond";
  own.env[0].time_s += report.time_s;
  put_solution(problem, env, own, out);
}

std::unique_ptr<ContactSolver> make_automatic_solver(const SolverOptions& options) {
  return std::make_unique<AutomaticSolver>(options);
}

}  // namespace nodia
