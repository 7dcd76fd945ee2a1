/// The fast loop of COND against the plain one (host/solvers/cond/reference/cond_reference.hpp),
/// iterate by iterate, on random problems of every kind, for every W and every acceleration.
/// Whatever costs iterations alone, as a wrong nu does, is seen here and nowhere else.
///
/// The iteration map is continuous, also where contacts open or begin to slip; what is not is a
/// restart of Nesterov's scheme and a move of the bias, and both loops decide these by themselves.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>

#include "host/solvers/cond/reference/cond_reference.hpp"
#include "host/solvers/linear/stacked_vector.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "tests/support/all_values.hpp"
#include "tests/support/dense_algebra.hpp"
#include "tests/support/loop_batch.hpp"
#include "tests/support/projection_oracle.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/take_solution.hpp"

namespace nodia {
namespace {

constexpr int kIterates = 20;

/// v** and lambda of iterations 1, 2, ..., stacked.
struct Iterates {
  std::vector<Eigen::VectorXd> v, lambda;
};

/// The CPU's launcher, which calls after_iteration when an iteration of all environments is over.
struct ObservingLauncher {
  CpuLauncher cpu{chosen_isa(), 1};
  std::function<void()> after_iteration;

  template <class Kernel, class Count>
  void launch(const char* name, const Kernel& kernel, Count n_item) {
    cpu.launch(name, kernel, n_item);
    if (std::string_view(name) == "iteration_decision") after_iteration();
  }
  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    cpu.repeat_while(condition, body);
  }
};

struct FastRun {
  Iterates iterates;
  double w_scale = 1;  ///< the guard's
  int restarts = 0;
};

FastRun run_fast(const ContactProblem& p, const SolverOptions& options, const WarmStart& warm) {
  LoopProblem<DoublePrecision> problem(options, options.of<CondOptions>());
  problem.set(p, warm);
  test::LoopBatch<DoublePrecision> batch(&problem, 1);
  FastRun run;
  VfpiControl& control = problem.arrays().control[0];
  ObservingLauncher launcher;
  launcher.after_iteration = [&] {
    // The solution as the loop would give it if it ended here.
    const VfpiControl before = control;
    control.stage = VfpiControl::Stage::done;
    Solution solution;
    test::take_solution(&problem, &solution);
    control = before;
    run.iterates.v.push_back(stacked(solution.v));
    run.iterates.lambda.push_back(stacked(solution.lambda));
  };
  batch.solve(&launcher);
  run.w_scale = control.w_scale;
  run.restarts = control.restarts;
  return run;
}

/// The contact step without a line of the production code: Alg. 2 and (37), with projections by
/// their definition or by bisection.
Vec3d plain_contact_step(const ContactLaw<double>& law, Vec3d lambda, Vec3d u, double gamma,
                         double omega) {
  const Vec3d trial = lambda - (1 / (gamma + omega)) * (u + omega * lambda);
  if (law.projection == Projection::strict)
    return oracle::coulomb_force(gamma + omega, -(gamma + omega) * trial, law.mu1, law.mu2);
  EXPECT_EQ(law.mu1, law.mu2);
  const double mu = law.mu1, slip = std::hypot(trial.y, trial.z);
  if (slip <= mu * trial.x) return trial;
  if (mu * slip <= -trial.x) return {};
  const double n = (trial.x + mu * slip) / (1 + mu * mu);
  return {n, mu * n / slip * trial.y, mu * n / slip * trial.z};
}

Iterates run_plain(const NodalSystem& system, const SolverOptions& options, const WarmStart& warm,
                   ReferenceSteps steps) {
  Iterates iterates;
  const Eigen::Index n = 3 * system.problem.n_node();
  steps.observe = [&](const ReferenceState& s) {
    iterates.v.push_back(s.v.head(n));
    iterates.lambda.push_back(s.lambda);
  };
  ReferenceState state = reference_start(system, stacked(warm.v), stacked(warm.lambda));
  SolveReport report;
  iterate_reference(system, steps, options, &state, &report);
  return iterates;
}

/// cond W.
double condition(const StepSizeMatrix& W) {
  const Eigen::Index n = W.w.size();
  Eigen::MatrixXd dense(n, n);
  for (Eigen::Index i = 0; i < n; ++i) dense.col(i) = W.times(Eigen::VectorXd::Unit(n, i));
  const Eigen::VectorXd eigenvalues = test::eigenvalues(dense);
  return eigenvalues.maxCoeff() / eigenvalues.minCoeff();
}

/// Largest |a - b|/|b| over all iterates, of velocities and of forces.
double distance(const Iterates& a, const Iterates& b) {
  double worst = 0;
  for (std::size_t k = 0; k < b.v.size(); ++k) {
    worst = std::max(worst, (a.v[k] - b.v[k]).norm() / b.v[k].norm());
    if (b.lambda[k].norm() > 0)
      worst = std::max(worst, (a.lambda[k] - b.lambda[k]).norm() / b.lambda[k].norm());
  }
  return worst;
}

struct Kind {
  const char* name;
  RandomProblemOptions problem;
  Projection projection = Projection::strict;
  double omega = 0;
  bool bias_cancellation = true;
};

const std::vector<Kind>& kinds() {
  const RandomProblemOptions soft{
      .n_node = 30, .n_world_contact = 14, .n_pair_contact = 0, .distinct_nodes = true};
  RandomProblemOptions anisotropic = soft;
  anisotropic.anisotropic = true;
  const RandomProblemOptions wedges{.n_node = 14, .n_world_contact = 24, .n_pair_contact = 0};
  const RandomProblemOptions coupled{.n_node = 20, .n_world_contact = 10, .n_pair_contact = 8};
  const RandomProblemOptions rigid{
      .n_node = 4, .n_world_contact = 2, .n_pair_contact = 0, .n_body = 3, .n_body_contact = 4};
  const RandomProblemOptions chain{
      .n_node = 4, .n_world_contact = 1, .n_pair_contact = 0, .n_link = 12};
  const RandomProblemOptions triangles{
      .n_node = 20, .n_world_contact = 4, .n_pair_contact = 0, .n_triangle_contact = 6};
  const RandomProblemOptions everything{.n_node = 18,
                                        .n_world_contact = 6,
                                        .n_pair_contact = 3,
                                        .n_body = 2,
                                        .n_body_contact = 3,
                                        .n_triangle_contact = 3,
                                        .n_link = 7,
                                        .theta = 0.5};
  constexpr Projection strict = Projection::strict, proximal = Projection::proximal;
  static const std::vector<Kind> all{
      {"soft_nodes", soft},
      {"soft_nodes_relaxed", soft, proximal},
      {"soft_nodes_invertible", soft, strict, 2e-3},
      {"anisotropic", anisotropic},
      {"several_contacts_on_a_node", wedges},
      {"several_contacts_invertible", wedges, proximal, 2e-3},
      {"coupled", coupled},
      {"coupled_invertible", coupled, strict, 2e-3},
      {"rigid_bodies", rigid},
      {"rigid_bodies_as_published", rigid, strict, 0, false},
      {"chain", chain},
      {"triangles", triangles},
      {"triangles_as_published", triangles, strict, 0, false},
      {"everything", everything},
      {"everything_relaxed_invertible", everything, proximal, 1e-3},
      {"everything_as_published", everything, strict, 0, false},
  };
  return all;
}

SolverOptions options_of(const Kind& kind, WKind w, Acceleration acceleration) {
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = 1e-15;
  options.max_iterations = kIterates;
  options.check_every = 1;  // every iteration leaves its solution, and the bias moves often
  options.projection = kind.projection;
  options.invertible_omega_m_Ns = kind.omega;
  options.of<CondOptions>().bias_cancellation = kind.bias_cancellation;
  options.of<CondOptions>().w = w;
  options.of<CondOptions>().acceleration = acceleration;
  return options;
}

/// A start away from zero, so that the first iteration sees all of it.
WarmStart start_of(const ContactProblem& p) {
  WarmStart warm;
  for (int i = 0; i < p.n_node(); ++i)
    warm.v.push_back(0.1 * Vec3d{std::sin(3.0 * i), std::cos(5.0 * i), std::sin(7.0 * i + 1)});
  for (int m = 0; m < p.n_contact(); ++m)
    warm.lambda.push_back(m % 3 == 0 ? Vec3d{} : Vec3d{1.0 + m % 5, 0.05, -0.02});
  return warm;
}

using IteratesCase = std::tuple<int, WKind, Acceleration>;

std::string name_of_iterates(const IteratesCase& c) {
  std::string name = std::string(kinds()[std::get<0>(c)].name) + "_" + name_of(std::get<1>(c)) +
                     "_" + name_of(std::get<2>(c));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

class CondIterates : public testing::TestWithParam<IteratesCase> {};

TEST_P(CondIterates, EqualThoseOfThePlainLoop) {
  const auto [index, w, acceleration] = GetParam();
  const Kind& kind = kinds()[index];
  const SolverOptions options = options_of(kind, w, acceleration);
  for (unsigned seed = 1; seed <= 3; ++seed) {
    RandomProblemOptions drawn = kind.problem;
    drawn.seed = seed;
    const ContactProblem p = random_problem(drawn);
    const WarmStart warm = seed == 1 ? WarmStart{} : start_of(p);
    const FastRun fast = run_fast(p, options, warm);
    ASSERT_EQ(fast.restarts, 0) << "seed " << seed;
    const NodalSystem system(p, options);
    ReferenceSteps steps;
    steps.W = step_size_matrix(system, w, fast.w_scale);
    steps.contact = plain_contact_step;
    const Iterates plain = run_plain(system, options, warm, steps);
    ASSERT_EQ(plain.v.size(), static_cast<std::size_t>(kIterates));
    ASSERT_EQ(fast.iterates.v.size(), plain.v.size());
    const double bound = is_barzilai_borwein(w) ? 1e-8 : 1e-12 * std::max(1.0, condition(steps.W));
    EXPECT_LT(distance(fast.iterates, plain), bound) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, CondIterates,
                         testing::Combine(testing::Range(0, static_cast<int>(kinds().size())),
                                          testing::ValuesIn(test::all_values<WKind>()),
                                          testing::ValuesIn(test::all_values<Acceleration>())),
                         [](const auto& one) { return name_of_iterates(one.param); });

/// What a fault would do to the comparison: the plain loop is given one, the fast loop is sound.
class PlantedFault : public testing::TestWithParam<const char*> {
 protected:
  double distance_with(const std::function<void(ReferenceSteps*)>& plant) const {
    const auto kind = std::find_if(kinds().begin(), kinds().end(), [](const Kind& k) {
      return std::string_view(k.name) == GetParam();
    });
    const ContactProblem p = random_problem(kind->problem);
    const SolverOptions options = options_of(*kind, WKind::frobenius, Acceleration::chebyshev);
    const FastRun fast = run_fast(p, options, {});
    const NodalSystem system(p, options);
    ReferenceSteps steps;
    steps.W = step_size_matrix(system, WKind::frobenius, fast.w_scale);
    plant(&steps);
    return distance(fast.iterates, run_plain(system, options, {}, steps));
  }
  static constexpr double kSeen = 1e-5;  ///< 1e7 times what rounding makes
};

TEST_P(PlantedFault, None) {
  EXPECT_LT(distance_with([](ReferenceSteps*) {}), 1e-10);
}
TEST_P(PlantedFault, NuWithRhoInPlaceOfItsSquare) {
  EXPECT_GT(distance_with([](ReferenceSteps* steps) {
              steps->next_nu = [](double nu, double rho, int l, int slow_start) {
                return ReferenceSteps::chebyshev_nu(nu, std::sqrt(rho), l, slow_start);
              };
            }),
            kSeen);
}
TEST_P(PlantedFault, NuThatIsOffByOnePerMille) {
  EXPECT_GT(distance_with([](ReferenceSteps* steps) {
              steps->next_nu = [](double nu, double rho, int l, int slow_start) {
                const double next = ReferenceSteps::chebyshev_nu(nu, rho, l, slow_start);
                return l > slow_start ? 1.001 * next : next;
              };
            }),
            kSeen);
}
TEST_P(PlantedFault, StartThatIsOneLong) {
  EXPECT_GT(distance_with([](ReferenceSteps* steps) {
              steps->next_nu = [](double nu, double rho, int l, int slow_start) {
                return ReferenceSteps::chebyshev_nu(nu, rho, l, slow_start + 1);
              };
            }),
            kSeen);
}
TEST_P(PlantedFault, SwappedSignOfATangentInTheProjection) {
  EXPECT_GT(distance_with([](ReferenceSteps* steps) {
              steps->contact = [](const ContactLaw<double>& law, Vec3d lambda, Vec3d u,
                                  double gamma, double omega) {
                Vec3d next = contact_update(law, lambda, u, gamma, omega);
                next.z = -next.z;
                return next;
              };
            }),
            kSeen);
}
TEST_P(PlantedFault, WThatIsOffByOnePerMilleOnOneRow) {
  EXPECT_GT(distance_with([](ReferenceSteps* steps) {
              const auto times = steps->W.times;
              steps->W.times = [times](const Eigen::VectorXd& x) {
                Eigen::VectorXd wx = times(x);
                wx.head<3>() *= 1.001;
                return wx;
              };
            }),
            kSeen);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PlantedFault,
                         testing::Values("soft_nodes", "several_contacts_on_a_node", "coupled",
                                         "chain", "everything"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace nodia
