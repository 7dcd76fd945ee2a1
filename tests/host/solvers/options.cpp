#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/complementarity/prox_iteration.hpp"
#include "host/solvers/cond/options.hpp"
#include "host/solvers/linear/options.hpp"
#include "host/solvers/penalty/penalty.hpp"
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

std::vector<BrokenOption> broken_options() {
  std::vector<BrokenOption> options{
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
       [](SolverOptions& o) { o.of<CondOptions>().w_recycle_steps = 0; }},
      {"OmegaNegative", "solver.invertible_omega_m_Ns = -0.001",
       [](SolverOptions& o) { o.invertible_omega_m_Ns = -1e-3; }},
      {"OmegaNan", "solver.invertible_omega_m_Ns = nan",
       [](SolverOptions& o) { o.invertible_omega_m_Ns = kNan; }},
      {"UnderRelaxationZero", "solver.under_relaxation = 0",
       [](SolverOptions& o) { o.of<CondOptions>().under_relaxation = 0; }},
      {"UnderRelaxationAboveOne", "solver.under_relaxation = 1.5",
       [](SolverOptions& o) { o.of<CondOptions>().under_relaxation = 1.5; }},
      {"UnderRelaxationNan", "solver.under_relaxation = nan",
       [](SolverOptions& o) { o.of<CondOptions>().under_relaxation = kNan; }},
      {"SlowStart", "solver.slow_start = 1",
       [](SolverOptions& o) { o.of<CondOptions>().slow_start = 1; }},
      {"ThreadsNegative", "solver.threads = -1",
       [](SolverOptions& o) { o.execution.threads = -1; }},
  };
  if (!is_available(Factoriser::cholmod))
    options.push_back({"FactoriserMissing", "solver.factoriser = cholmod",
                       [](SolverOptions& o) { o.factor.factoriser = Factoriser::cholmod; }});
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

template <class Enum>
void expect_round_trip() {
  for (const Word<Enum>& w : words_of(Enum{})) {
    EXPECT_STREQ(name_of(w.value), w.word);
    EXPECT_EQ(parse_word<Enum>(w.word, "key"), w.value);
  }
}

TEST(Names, RoundTrip) {
  expect_round_trip<SolveStatus>();
  expect_round_trip<StopRule>();
  expect_round_trip<Projection>();
  expect_round_trip<WKind>();
  expect_round_trip<Acceleration>();
  expect_round_trip<Precision>();
  expect_round_trip<Backend>();
  expect_round_trip<AnswerRule>();
  expect_round_trip<Factoriser>();
  expect_round_trip<ProxFactor>();
  expect_round_trip<Section>();
  expect_round_trip<PenaltyIntegration>();
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
    parse_word<Precision>("doubel", "solver.precision");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "solver.precision = doubel (must be one of double, mixed, float; did you mean "
                 "double?)");
  }
  EXPECT_THROW(parse_word<StopRule>("", "key"), InputError);
  EXPECT_THROW(parse_word<StopRule>("Residual", "key"), InputError);
}

TEST(Catalogue, UnknownSolverNamesTheNearest) {
  SolverOptions options;
  options.solver = "adgp";
  try {
    make_solver(options);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                testing::StartsWith("solver = adgp (must be one of cond, newton, pgs, apgd"));
    EXPECT_THAT(error.what(), testing::HasSubstr("; did you mean apgd?)"));
    for (const std::string& name : method_names())
      EXPECT_THAT(error.what(), testing::HasSubstr(name));
  }
}

/// Every header of the project that these include, by any way.
std::set<std::string> all_includes(std::vector<std::string> headers) {
  std::set<std::string> found;
  while (!headers.empty()) {
    const std::string path = headers.back();
    headers.pop_back();
    if (!found.insert(path).second) continue;
    std::ifstream file(std::string(NODIA_SOURCE_DIR) + "/" + path);
    EXPECT_TRUE(file.good()) << path;
    for (std::string line; std::getline(file, line);)
      if (line.rfind("#include \"", 0) == 0) headers.push_back(line.substr(10, line.size() - 11));
  }
  return found;
}

TEST(SolverInterface, KnowsNoSolver) {
  const std::set<std::string> all = all_includes(
      {"host/solvers/interface.hpp", "host/solvers/options.hpp", "host/solvers/solver_options.hpp",
       "host/solvers/catalogue.hpp", "host/solvers/report.hpp",
       "host/solvers/solve_by_environment.hpp", "host/simulation/simulation.hpp"});
  EXPECT_EQ(all.count("kernels/contact/contact.hpp"), 1U);
  for (const std::string& header : all) {
    EXPECT_THAT(header, testing::Not(testing::HasSubstr("vfpi")));
    EXPECT_THAT(header, testing::Not(testing::HasSubstr("cond/")));
  }
}

TEST(SolverOptions, AreOfTheirOwnTypeAndCopiedWhole) {
  SolverOptions options;
  const SolverOptions& seen = options;
  EXPECT_EQ(seen.of<PenaltyOptions>().gain, PenaltyOptions{}.gain);
  options.of<PenaltyOptions>().gain = 7;
  SolverOptions copy = options;
  copy.of<PenaltyOptions>().gain = 8;
  EXPECT_EQ(seen.of<PenaltyOptions>().gain, 7);
  EXPECT_EQ(copy.of<PenaltyOptions>().gain, 8);
  EXPECT_EQ(seen.of<CondOptions>().slow_start, CondOptions{}.slow_start);
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
