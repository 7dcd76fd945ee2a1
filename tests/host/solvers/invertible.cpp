/// Invertible contact (Lee et al., III-E): every solver against the dense reference, and the forces
/// recovered from velocities alone.
#include <gtest/gtest.h>

#include "host/errors/errors.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/dense_reference.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/solve_once.hpp"

namespace nodia {
namespace {

using test::solve_once;

constexpr double kOmega = 1e-3;

struct ContactMix {
  const char* name;
  RandomProblemOptions problem;
};

/// One contact a node, several, contacts between nodes, contact nodes.
std::vector<ContactMix> mixes(unsigned seed) {
  const bool anisotropic = seed % 2 == 0;
  return {
      {"single", {.seed = seed, .n_pair_contact = 0, .distinct_nodes = true}},
      {"anisotropic", {.seed = seed, .distinct_nodes = true, .anisotropic = anisotropic}},
      {"several", {.seed = seed, .n_node = 6, .n_world_contact = 8, .n_pair_contact = 0}},
      {"coupled", {.seed = seed, .n_world_contact = 4, .n_pair_contact = 4}},
      {"bodies", {.seed = seed, .n_body = 2, .n_body_contact = 3, .n_triangle_contact = 2}},
  };
}

SolverOptions tight(Projection projection, double tolerance) {
  SolverOptions options;
  options.solver = "cond";
  options.projection = projection;
  options.invertible_omega_m_Ns = kOmega;
  options.tolerance = tolerance;
  options.max_iterations = 200000;
  return options;
}

double norm_of(const std::vector<Vec3d>& x) {
  double squared = 0;
  for (const Vec3d& a : x) squared += squared_norm(a);
  return std::sqrt(squared);
}

/// |recovered - lambda|/|lambda|
double recovery_error(const ContactProblem& p, const std::vector<Vec3d>& v,
                      const std::vector<Vec3d>& lambda, Projection projection) {
  std::vector<Vec3d> recovered = recover_contact_forces(p, v, projection, kOmega);
  for (std::size_t m = 0; m < lambda.size(); ++m) recovered[m] -= lambda[m];
  return norm_of(recovered) / norm_of(lambda);
}

TEST(Invertible, SolversReachTheDenseSolution) {
  for (const Projection projection : {Projection::strict, Projection::proximal})
    for (unsigned seed = 1; seed <= 3; ++seed)
      for (const ContactMix& kind : mixes(seed)) {
        const ContactProblem p = random_problem(kind.problem);
        const DenseReference reference = dense_reference(p, projection, kOmega);
        for (const char* name : {"cond", "pgs", "apgd"}) {
          SolverOptions options = tight(projection, 1e-9);
          options.solver = name;
          const Solution s = solve_once(p, options);
          const std::string what = std::string(name) + " " + kind.name + " " + name_of(projection) +
                                   " seed " + std::to_string(seed);
          EXPECT_EQ(s.env[0].status, SolveStatus::converged) << what << ": " << s.env[0].reason;
          EXPECT_LT(relative_energy_distance(p, s.v, reference.v), 1e-6) << what;
          EXPECT_LT(s.env[0].natural_map_error, 2e-9) << what;
        }
      }
}

TEST(Invertible, ForcesFollowFromTheDenseSolutionsVelocities) {
  for (const Projection projection : {Projection::strict, Projection::proximal})
    for (unsigned seed = 1; seed <= 5; ++seed)
      for (const ContactMix& kind : mixes(seed)) {
        const ContactProblem p = random_problem(kind.problem);
        const DenseReference reference = dense_reference(p, projection, kOmega);
        EXPECT_LT(recovery_error(p, reference.v, reference.lambda, projection), 1e-8)
            << kind.name << " " << name_of(projection) << " seed " << seed;
      }
}

TEST(Invertible, ForcesFollowFromCondsVelocities) {
  for (const Projection projection : {Projection::strict, Projection::proximal})
    for (unsigned seed = 1; seed <= 5; ++seed)
      for (const ContactMix& kind : mixes(seed)) {
        const ContactProblem p = random_problem(kind.problem);
        const Solution s = solve_once(p, tight(projection, 1e-11));
        EXPECT_EQ(s.env[0].status, SolveStatus::converged)
            << kind.name << " " << name_of(projection) << " seed " << seed;
        EXPECT_LT(recovery_error(p, s.v, s.lambda, projection), 1e-7)
            << kind.name << " " << name_of(projection) << " seed " << seed;
      }
}

TEST(Invertible, InOneShotForcesFollowFromTheFirstIterateOn) {
  // v** meets its regularised conditions whatever the dynamics still lack (Prop. 4).
  const ContactProblem p = random_problem({.seed = 4, .n_pair_contact = 0, .distinct_nodes = true});
  for (const Projection projection : {Projection::strict, Projection::proximal}) {
    SolverOptions options = tight(projection, 1e-12);
    options.max_iterations = 3;
    const Solution s = solve_once(p, options);
    EXPECT_EQ(s.env[0].status, SolveStatus::iteration_limit);
    EXPECT_LT(recovery_error(p, s.v, s.lambda, projection), 1e-10);
  }
}

TEST(Invertible, ItsEffectVanishesWithOmega) {
  const ContactProblem p = random_problem({.seed = 2, .distinct_nodes = true});
  const DenseReference coulomb = dense_reference(p);
  double before = 1;
  for (const double omega : {1e-5, 1e-7, 1e-9}) {
    SolverOptions options = tight(Projection::strict, 1e-12);
    options.invertible_omega_m_Ns = omega;
    const double distance = relative_energy_distance(p, solve_once(p, options).v, coulomb.v);
    EXPECT_LT(distance, before / 20) << omega;
    before = distance;
  }
}

TEST(Invertible, RecoveryNeedsARegularisation) {
  const ContactProblem p = random_problem({.seed = 2});
  const std::vector<Vec3d> v(p.b.size());
  EXPECT_THROW(recover_contact_forces(p, v, Projection::strict, 0), InputError);
  EXPECT_THROW(recover_contact_forces(p, v, Projection::strict, NAN), InputError);
}

}  // namespace
}  // namespace nodia
