/// Runs solvers of single environments: initial guess, failures, time, and error measures.
#pragma once

#include <algorithm>
#include <optional>

#include "host/base/threads.hpp"
#include "host/solvers/linear/stacked_vector.hpp"
#include "host/solvers/report.hpp"
#include "kernels/core/stopwatch.hpp"
#include "kernels/device/device_error.hpp"

namespace nodia {

/// Velocities and forces of one environment, stacked; in an initial guess each may be empty.
struct VelocityAndForce {
  Eigen::VectorXd v, lambda;
};

/// Initial guess of one environment. It is empty if b and phi are zero: the solution is zero then,
/// and a relative criterion has no scale.
inline VelocityAndForce warm_part(const ContactProblem& problem, const WarmStart& warm, int env,
                                  const ContactProblem& own) {
  const auto zero = [](Vec3d a) { return squared_norm(a) == 0; };
  VelocityAndForce start;
  if (std::all_of(own.b.begin(), own.b.end(), zero) &&
      std::all_of(own.contacts.begin(), own.contacts.end(),
                  [&](const Contact<double>& c) { return zero(c.phi); }))
    return start;
  const auto part = [](const std::vector<Vec3d>& all, std::size_t size, int begin, int n) {
    if (all.size() != size) return Eigen::VectorXd();
    return stacked({all.begin() + begin, all.begin() + begin + n});
  };
  start.v = part(warm.v, problem.b.size(), problem.env_node_begin[env], own.n_node());
  start.lambda =
      part(warm.lambda, problem.contacts.size(), problem.env_contact_begin[env], own.n_contact());
  return start;
}

/// Calls solve(env, own, start, answer, report) for every environment in parallel, with `own` its
/// separate problem, and evaluates the solutions. A RuntimeError becomes the status diverged with
/// its text as the reason; a DeviceError is rethrown.
template <class Solve>
void solve_by_environment(const ContactProblem& problem, const WarmStart& warm,
                          const CommonOptions& options, Solution* out, const Solve& solve) {
  out->v.assign(problem.b.size(), Vec3d{});
  out->lambda.assign(problem.contacts.size(), Vec3d{});
  out->env.assign(static_cast<std::size_t>(problem.n_env()), SolveReport{});
  for_each_environment(problem.n_env(), options.execution.threads, [&](int e) {
    const Stopwatch watch;
    SolveReport& report = out->env[static_cast<std::size_t>(e)];
    try {
      std::optional<ContactProblem> part;
      const ContactProblem& own =
          problem.n_env() == 1 ? problem : part.emplace(problem.environment(e));
      VelocityAndForce solution;
      solve(e, own, warm_part(problem, warm, e, own), &solution, &report);
      const std::vector<Vec3d> v = split(solution.v), lambda = split(solution.lambda);
      std::copy(v.begin(), v.end(), out->v.begin() + problem.env_node_begin[e]);
      std::copy(lambda.begin(), lambda.end(), out->lambda.begin() + problem.env_contact_begin[e]);
    } catch (const DeviceError&) {
      throw;
    } catch (const RuntimeError& error) {
      report.status = SolveStatus::diverged;
      report.reason = error.what();
    }
    report.time_s = watch.seconds();
  });
  evaluate(problem, options, out);
}

}  // namespace nodia
