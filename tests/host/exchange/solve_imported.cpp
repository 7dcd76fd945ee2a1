// Problems from outside solved to an error that is recomputed from their own numbers.
#include "host/exchange/solve_imported.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>

#include "host/exchange/read_problem.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "tests/support/random_friction.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

using Kind = RandomFrictionOptions::Kind;

ImportedSolveOptions with_solver(const std::string& solver, double tolerance = 1e-8) {
  ImportedSolveOptions options;
  options.solver.solver = solver;
  options.solver.tolerance = tolerance;
  options.solver.max_iterations = 20000;
  options.solver.execution.threads = 1;
  options.solver.of<CondOptions>().virtual_gain = kImportedVirtualGain;
  return options;
}

/// Solves and checks that what is reported is what the problem's own numbers say.
ImportedSolve solved(const FrictionProblem& p, const ImportedSolveOptions& options) {
  ImportedProblem imported(p, "test");
  ImportedSolve solve = solve_imported(&imported, options).back();
  const FrictionSolution answer = imported.answer(solve.solution);
  EXPECT_EQ(error_siconos(p, answer.v, answer.r), solve.error_siconos);
  if (solve.status == SolveStatus::converged) {
    EXPECT_LE(solve.error_siconos, options.solver.tolerance);
  } else {
    EXPECT_GT(solve.error_siconos, options.solver.tolerance);
    EXPECT_FALSE(solve.reason.empty());
  }
  EXPECT_LE(solve.iterations, options.solver.max_iterations);
  return solve;
}

struct Family {
  const char* name;
  RandomFrictionOptions options;
};

class CondOnRandomProblems : public testing::TestWithParam<Family> {};

TEST_P(CondOnRandomProblems, SolvesEveryOne) {
  for (unsigned seed = 1; seed <= 2; ++seed) {
    RandomFrictionOptions options = GetParam().options;
    options.seed = seed;
    const ImportedSolve solve = solved(random_friction(options), with_solver("cond"));
    EXPECT_EQ(solve.status, SolveStatus::converged)
        << seed << ": " << solve.error_siconos << ", " << solve.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Families, CondOnRandomProblems,
    testing::Values(
        Family{"bodies", {}},
        Family{"masses_over_six_decades", {.n_body = 30, .n_contact = 50, .mass_decades = 6}},
        Family{"redundant", {.n_contact = 15, .copies = 4, .mu_max = 2}},
        Family{"millimetres", {.length_unit = 1e3, .force_unit = 1e-3}},
        Family{"kilometres", {.length_unit = 1e-3, .force_unit = 1e3}},
        Family{"chains", {.kind = Kind::chains, .n_body = 50, .n_contact = 30}},
        Family{"stiff_chains",
               {.kind = Kind::chains,
                .n_body = 50,
                .n_contact = 30,
                .mass_decades = 3,
                .stiffness = 1e5}},
        Family{"elastic", {.kind = Kind::elastic, .n_body = 216, .n_contact = 40}},
        Family{"plane", {.n_body = 20, .n_contact = 20, .dimension = 2}},
        Family{"plane_redundant",
               {.n_body = 20, .n_contact = 20, .copies = 3, .mu_max = 2, .dimension = 2}}),
    [](const testing::TestParamInfo<Family>& tested) { return std::string(tested.param.name); });

TEST(CondOnRandomProblemsSlow, TwelveThousandUnknowns) {
  for (const Kind kind : {Kind::bodies, Kind::elastic}) {
    RandomFrictionOptions options{.kind = kind, .stiffness = 1e3};
    options.n_body = kind == Kind::bodies ? 2000 : 4000;
    options.n_contact = kind == Kind::bodies ? 2500 : 300;
    const ImportedSolve solve = solved(random_friction(options), with_solver("cond"));
    EXPECT_EQ(solve.status, SolveStatus::converged) << solve.error_siconos << solve.reason;
  }
}

class NewtonOnLocalProblems : public testing::TestWithParam<Family> {};

TEST_P(NewtonOnLocalProblems, SolvesEveryOne) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    RandomFrictionOptions random = GetParam().options;
    random.seed = seed;
    const FrictionProblem p = local_of(random_friction(random));
    ImportedSolveOptions options = with_solver("proximal_newton", 1e-10);
    const ImportedSolve newton = solved(p, options);
    EXPECT_EQ(newton.status, SolveStatus::converged)
        << seed << ": " << newton.error_siconos << ", " << newton.reason;
    // With masses far apart Coulomb's law may have several answers, and both are good to the bound.
    if (random.mass_decades > 1) continue;
    ImportedProblem a(p, "a"), b(p, "b");
    const ImportedSolve pgs = solve_imported(&b, with_solver("pgs", 1e-10)).back();
    if (pgs.status != SolveStatus::converged) continue;
    const Eigen::VectorXd u = a.answer(newton.solution).u, v = b.answer(pgs.solution).u;
    EXPECT_LT((u - v).norm(), 1e-6 * p.q.norm()) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Families, NewtonOnLocalProblems,
    testing::Values(
        Family{"bodies", {}},
        Family{"masses_over_six_decades", {.n_body = 30, .n_contact = 50, .mass_decades = 6}},
        Family{"redundant", {.n_contact = 15, .copies = 4, .mu_max = 2}},
        Family{"millimetres", {.length_unit = 1e3, .force_unit = 1e-3}},
        Family{"chains", {.kind = Kind::chains, .n_body = 50, .n_contact = 30}},
        Family{"elastic", {.kind = Kind::elastic, .n_body = 216, .n_contact = 40}},
        Family{"plane", {.n_body = 20, .n_contact = 20, .dimension = 2}},
        Family{"plane_redundant",
               {.n_body = 20, .n_contact = 20, .copies = 3, .mu_max = 2, .dimension = 2}}),
    [](const testing::TestParamInfo<Family>& tested) { return std::string(tested.param.name); });

TEST(SolveImported, TwoSolversFindTheSameVelocities) {
  const FrictionProblem p = random_friction({.seed = 2, .n_body = 12, .n_contact = 8});
  ImportedProblem a(p, "test"), b(p, "test");
  const ImportedSolve cond = solve_imported(&a, with_solver("cond", 1e-10)).back();
  const ImportedSolve pgs = solve_imported(&b, with_solver("pgs", 1e-10)).back();
  ASSERT_EQ(cond.status, SolveStatus::converged) << cond.reason;
  ASSERT_EQ(pgs.status, SolveStatus::converged) << pgs.reason;
  const Eigen::VectorXd v = a.answer(cond.solution).v, w = b.answer(pgs.solution).v;
  EXPECT_LT((v - w).norm(), 1e-6 * w.norm());
}

TEST(SolveImported, AnAsymmetryIsCorrected) {
  FrictionProblem p = random_friction({.n_body = 6, .n_contact = 6});
  const double scale = p.M.coeffs().abs().maxCoeff();
  for (int i = 0; i + 1 < p.n_dof(); ++i) p.M.coeffRef(i, i + 1) += 2e-6 * scale;
  p.validate("test");
  for (const char* solver : {"cond", "pgs"}) {
    const ImportedSolve solve = solved(p, with_solver(solver));
    EXPECT_EQ(solve.status, SolveStatus::converged) << solver << solve.error_siconos;
  }
}

TEST(SolveImported, TooFewIterationsAreReportedAsThat) {
  ImportedSolveOptions options = with_solver("cond");
  options.solver.max_iterations = 20;
  const ImportedSolve solve = solved(random_friction({}), options);
  EXPECT_EQ(solve.status, SolveStatus::iteration_limit);
  EXPECT_EQ(solve.iterations, 20);
}

TEST(SolveImported, AutoFallsBackToAnotherSolver) {
  ImportedSolveOptions options = with_solver("cond");
  options.automatic = true;
  options.solver.max_iterations = 25;  // enough for PGS here, not for Newton and COND
  const FrictionProblem p =
      random_friction({.kind = Kind::elastic, .seed = 1, .n_body = 216, .n_contact = 20});
  ImportedProblem imported(p, "test");
  const std::vector<ImportedSolve> tried = solve_imported(&imported, options);
  ASSERT_EQ(tried.size(), 3u);
  EXPECT_EQ(tried[0].solver, "newton");
  EXPECT_EQ(tried[1].solver, "cond");
  for (const int k : {0, 1}) EXPECT_EQ(tried[k].status, SolveStatus::iteration_limit);
  EXPECT_EQ(tried.back().status, SolveStatus::converged) << tried.back().reason;
}

/// One number whose square no double holds, in every vector: none may hide the errors of the rest.
TEST(SolveImported, NormsThatOverflowAreNotANumber) {
  for (const bool in_b : {false, true}) {
    FrictionProblem p = random_friction({.n_body = 6, .n_contact = 6});
    (in_b ? p.b : p.q)[4] = 1e308;
    for (const char* solver : {"cond", "pgs", "apgd", "prox", "ccs"}) {
      ImportedProblem imported(p, "test");
      const ImportedSolve solve = solve_imported(&imported, with_solver(solver)).back();
      EXPECT_EQ(solve.status, SolveStatus::not_a_number) << solver << solve.error_siconos;
      EXPECT_FALSE(solve.reason.empty()) << solver;
    }
    ImportedSolveOptions options = with_solver("cond");
    options.automatic = true;
    ImportedProblem imported(p, "test");
    const std::vector<ImportedSolve> tried = solve_imported(&imported, options);
    ASSERT_EQ(tried.size(), 4u);
    for (const ImportedSolve& solve : tried) EXPECT_EQ(solve.status, SolveStatus::not_a_number);
    EXPECT_EQ(tried.back().solver, "newton");  // with all alike, the first choice's answer
  }
}

/// The same in a problem of our own; the environment beside it is solved.
TEST(SolveImported, OneEnvironmentThatOverflowsIsNamed) {
  for (const bool in_phi : {false, true}) {
    ContactProblem p = random_problem({.seed = 3, .n_env = 2});
    if (in_phi)
      p.contacts[p.env_contact_begin[1]].phi.x = 1e308;
    else
      p.b[p.env_node_begin[1]].x = 1e308;
    for (const char* solver : {"cond", "pgs", "apgd", "prox", "ccs", "penalty"}) {
      SolverOptions options = with_solver(solver).solver;
      Solution solution;
      make_solver(options)->solve(p, {}, &solution);
      EXPECT_NE(solution.env[0].status, SolveStatus::not_a_number) << solver;
      EXPECT_EQ(solution.env[1].status, SolveStatus::not_a_number) << solver;
      EXPECT_FALSE(solution.env[1].reason.empty()) << solver;
      const ImportedSolve solve = solve_to_error(p, with_solver(solver)).back();
      EXPECT_EQ(solve.status, SolveStatus::not_a_number) << solver << solve.error_siconos;
      EXPECT_FALSE(solve.reason.empty()) << solver;
    }
  }
}

TEST(SolveImported, NoContactsAtAll) {
  FrictionProblem p = random_friction({.n_body = 3, .n_contact = 1});
  p.H.resize(p.n_dof(), 0);
  p.b.resize(0);
  p.mu.clear();
  for (const char* solver : {"cond", "pgs", "apgd"})
    EXPECT_EQ(solved(p, with_solver(solver)).status, SolveStatus::converged) << solver;
}

// The collection that is no part of the repository.

std::string reference_folder() {
  const char* set = std::getenv("NODIA_REFERENCE_DIR");
  const std::string root =
      set != nullptr ? set : std::string(NODIA_SOURCE_DIR) + "/../shared/reference";
  return root + "/siconos";
}

/// The path is relative to the source tree.
constexpr const char* kReferenceIsAbsent =
    "REFERENCE: ../shared/reference/siconos is absent (or set NODIA_REFERENCE_DIR)";

FrictionProblem reference(const std::string& name) {
  return std::get<FrictionProblem>(read_problem(reference_folder() + "/" + name));
}

struct Expected {
  const char* file;
  int cond_iterations;  ///< at most, to 1e-8
};

class GlobalReference : public testing::TestWithParam<Expected> {};

TEST_P(GlobalReference, CondAndPgsReachTheTolerance) {
  if (!std::filesystem::exists(reference_folder())) GTEST_SKIP() << kReferenceIsAbsent;
  const FrictionProblem p = reference(GetParam().file);
  const ImportedSolve cond = solved(p, with_solver("cond"));
  EXPECT_EQ(cond.status, SolveStatus::converged) << cond.error_siconos << cond.reason;
  EXPECT_LE(cond.iterations, GetParam().cond_iterations);
  const ImportedSolve pgs = solved(p, with_solver("pgs"));
  EXPECT_EQ(pgs.status, SolveStatus::converged) << pgs.error_siconos << pgs.reason;
}

INSTANTIATE_TEST_SUITE_P(
    Files, GlobalReference,
    testing::Values(Expected{"LMGC_GlobalFrictionContactProblem00046.hdf5", 300},
                    Expected{"GFC3D_TwoRods1.dat", 200},
                    Expected{"Box_Stacks-i0122-82-5.hdf5", 600},
                    Expected{"GFC3D_OneContact.dat", 20000}, Expected{"GFC3D_Example0.dat", 20000},
                    Expected{"GFC3D_Example00.dat", 20000}, Expected{"GFC3D_Example1.dat", 20000},
                    Expected{"GFC3D_Example00_badly_scaled.dat", 20000}),
    [](const testing::TestParamInfo<Expected>& tested) {
      std::string name = tested.param.file;
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

std::string name_of_file(const testing::TestParamInfo<const char*>& tested) {
  std::string name = tested.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

/// To 1e-8 as the automatic choice, from W as it is in the file, in a few dozen Newton steps.
void expect_newton_solves(const FrictionProblem& p) {
  ImportedSolveOptions options = with_solver("proximal_newton", 1e-8);
  options.automatic = true;
  const ImportedSolve solve = solved(p, options);
  EXPECT_EQ(solve.solver, "proximal_newton");
  EXPECT_EQ(solve.status, SolveStatus::converged) << solve.error_siconos << ' ' << solve.reason;
  EXPECT_LE(solve.iterations, 200);
}

class LocalReference : public testing::TestWithParam<const char*> {};

TEST_P(LocalReference, PgsAndApgdReachTheTolerance) {
  if (!std::filesystem::exists(reference_folder())) GTEST_SKIP() << kReferenceIsAbsent;
  const FrictionProblem p = reference(GetParam());
  for (const char* solver : {"pgs", "apgd"}) {
    const ImportedSolve solve = solved(p, with_solver(solver, 1e-6));
    EXPECT_EQ(solve.status, SolveStatus::converged)
        << solver << ' ' << solve.error_siconos << ' ' << solve.reason;
  }
}

TEST_P(LocalReference, ProximalNewtonReachesTheTightTolerance) {
  if (!std::filesystem::exists(reference_folder())) GTEST_SKIP() << kReferenceIsAbsent;
  expect_newton_solves(reference(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Files, LocalReference,
                         testing::Values("Confeti-ex13-4contact-Fc3D-SBM.dat",
                                         "LMGC_100_PR_PerioBox-i00361-60-03000.hdf5",
                                         "NESpheres_10_1.dat", "OneObject-i100000-499.hdf5.dat",
                                         "Rover1040.dat", "Rover4396.dat"),
                         name_of_file);
INSTANTIATE_TEST_SUITE_P(LargeSlow, LocalReference, testing::Values("Capsules-i125-1213.hdf5"),
                         name_of_file);

class LocalReferenceOfNewton : public testing::TestWithParam<const char*> {};

/// PGS and APGD do not reach the tolerance of the test above on the first of these, and take a
/// minute on the others.
TEST_P(LocalReferenceOfNewton, ReachesTheTightTolerance) {
  if (!std::filesystem::exists(reference_folder())) GTEST_SKIP() << kReferenceIsAbsent;
  expect_newton_solves(reference(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Files, LocalReferenceOfNewton,
                         testing::Values("OneObject-i100000-316.hdf5.dat", "Capsules-i100-1090.dat",
                                         "KaplasTower-i1061-4.hdf5.dat"),
                         name_of_file);

}  // namespace
}  // namespace nodia
