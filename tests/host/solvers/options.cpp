#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "host/solvers/contact_solver.hpp"
#include "host/solvers/names.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"

namespace nodia {
namespace {

struct BrokenOption {
  const char* name;
  const char* message;
  std::function<void(SolverOptions&)> set;
};

const double kNan = std::numeric_limits<double>::quiet_NaN();

const std::vector<BrokenOption>& broken_options() {
  static const std::vector<BrokenOption> options {
    {"ToleranceZero", "solver.tolerance = 0 (must be in (0, 1)",
     [](SolverOptions& o) { o.tolerance = 0; }},
        {"ToleranceOne", "solver.tolerance = 1 ", [](SolverOptions& o) { o.tolerance = 1; }},
        {"ToleranceNan", "solver.tolerance = nan", [](SolverOptions& o) { o.tolerance = kNan; }},
        {"IterationsZero", "solver.max_iterations = 0",
         [](SolverOptions& o) { o.max_iterations = 0; }},
        {"IterationsHuge", "solver.max_iterations = 10000001",
         [](SolverOptions& o) { o.max_iterations = 10000001; }},
        {"CheckEveryZero", "solver.check_every = 0", [](SolverOptions& o) { o.check_every = 0; }},
        {"CheckEveryHuge", "solver.check_every = 1001",
         [](SolverOptions& o) { o.check_every = 1001; }},
        {"RecycleZero", "solver.w_recycle_steps = 0",
         [](SolverOptions& o) { o.w_recycle_steps = 0; }},
        {"OmegaNegative", "solver.invertible_omega_m_Ns = -0.001",
         [](SolverOptions& o) { o.invertible_omega_m_Ns = -1e-3; }},
        {"OmegaNan", "solver.invertible_omega_m_Ns = nan",
         [](SolverOptions& o) { o.invertible_omega_m_Ns = kNan; }},
        {"UnderRelaxationZero", "solver.under_relaxation = 0",
         [](SolverOptions& o) { o.under_relaxation = 0; }},
        {"UnderRelaxationAboveOne", "solver.under_relaxation = 1.5",
         [](SolverOptions& o) { o.under_relaxation = 1.5; }},
        {"UnderRelaxationNan", "solver.under_relaxation = nan",
         [](SolverOptions& o) { o.under_relaxation = kNan; }},
        {"SlowStart", "solver.slow_start = 1", [](SolverOptions& o) { o.slow_start = 1; }},
        {"ThreadsNegative", "solver.threads = -1", [](SolverOptions& o) { o.threads = -1; }},
#if !defined(NODIA_WITH_CHOLMOD)
        {"FactoriserMissing", "solver.factoriser = cholmod",
         [](SolverOptions& o) { o.factoriser = Factoriser::cholmod; }},
#endif
  };
  return options;
}

class SolverOptionRules : public testing::TestWithParam<BrokenOption> {};

TEST_P(SolverOptionRules, AreChecked) {
  SolverOptions options;
  ASSERT_NO_THROW(options.validate());
  GetParam().set(options);
  for (const SolverEntry& entry : solver_catalogue()) {
    options.solver = entry.name;
    try {
      make_solver(options);
      FAIL() << "accepted by " << entry.name;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().message));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Options, SolverOptionRules, testing::ValuesIn(broken_options()),
                         [](const auto& test) { return std::string(test.param.name); });

template <class Enum, class Parse>
void expect_round_trip(const std::vector<Enum>& values, Parse parse) {
  for (const Enum value : values) EXPECT_EQ(parse(name_of(value), "key"), value);
}

TEST(Names, RoundTrip) {
  expect_round_trip<StopRule>({StopRule::residual, StopRule::paper}, parse_stop_rule);
  expect_round_trip<Projection>({Projection::strict, Projection::proximal}, parse_projection);
  expect_round_trip<WKind>({WKind::frobenius, WKind::bb1, WKind::bb2, WKind::bb_alternating,
                            WKind::alpha_identity, WKind::inf_norm},
                           parse_w_kind);
  expect_round_trip<Acceleration>(
      {Acceleration::none, Acceleration::chebyshev, Acceleration::nesterov}, parse_acceleration);
  expect_round_trip<Precision>({Precision::double_, Precision::float_}, parse_precision);
  expect_round_trip<AnswerRule>(
      {AnswerRule::least_contact, AnswerRule::last, AnswerRule::least_energy}, parse_answer_rule);
  expect_round_trip<Factoriser>({Factoriser::simplicial, Factoriser::cholmod}, parse_factoriser);
}

TEST(Names, OfStatuses) {
  EXPECT_STREQ(name_of(SolveStatus::converged), "converged");
  EXPECT_STREQ(name_of(SolveStatus::iteration_limit), "iteration_limit");
  EXPECT_STREQ(name_of(SolveStatus::stalled), "stalled");
  EXPECT_STREQ(name_of(SolveStatus::diverged), "diverged");
  EXPECT_STREQ(name_of(SolveStatus::infeasible), "infeasible");
  EXPECT_STREQ(name_of(SolveStatus::not_a_number), "not_a_number");
}

TEST(Names, UnknownOnesNameTheNearest) {
  try {
    parse_w_kind("frobenus");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "solver.w = frobenus (must be one of frobenius, bb1, bb2, bb-alternating, alpha, "
                 "inf-norm; did you "
                 "mean frobenius?)");
  }
  EXPECT_THROW(parse_stop_rule(""), InputError);
  EXPECT_THROW(parse_stop_rule("Residual"), InputError);
}

TEST(Catalogue, UnknownSolverNamesTheNearest) {
  SolverOptions options;
  options.solver = "adgp";
  try {
    make_solver(options);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("solver = adgp (must be one of cond, pgs, apgd"));
    EXPECT_THAT(error.what(), testing::HasSubstr("; did you mean apgd?)"));
    for (const SolverEntry& entry : solver_catalogue())
      EXPECT_THAT(error.what(), testing::HasSubstr(entry.name));
  }
}

TEST(NearestName, CountsEdits) {
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("abc", "abc"), 0);
  EXPECT_EQ(nearest_name("x", {}), "");
  EXPECT_EQ(nearest_name("time_step", {"theta", "step_s", "times_step"}), "times_step");
  EXPECT_EQ(nearest_name(std::string(100000, 'a'), {"b", "aaa"}), "aaa");
}

}  // namespace
}  // namespace nodia
