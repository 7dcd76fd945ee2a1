#include "scenarios/build/solver_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/solvers/complementarity/prox_solver.hpp"
#include "host/solvers/cond/options.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

std::string refused(const std::string& setting) {
  try {
    read_solver_settings({setting});
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SolverSettings, ReachTheOptionsOfEverySolver) {
  const SolverOptions options =
      read_solver_settings({"solver.w=inf-norm", "solver.acceleration=none", "solver.slow_start=7",
                            "solver.prox.rule=given", "solver.prox.friction=box",
                            "solver.prox.r=0.5", "solver.factoriser=cholmod", "solver.threads=3"});
  EXPECT_EQ(options.of<CondOptions>().w, WKind::inf_norm);
  EXPECT_EQ(options.of<CondOptions>().acceleration, Acceleration::none);
  EXPECT_EQ(options.of<CondOptions>().slow_start, 7);
  EXPECT_EQ(options.of<ProxSolverOptions>().rule, ProxFactor::given);
  EXPECT_EQ(options.of<ProxSolverOptions>().friction, Section::box);
  EXPECT_EQ(options.of<ProxSolverOptions>().r, 0.5);
  EXPECT_EQ(options.factor.factoriser, Factoriser::cholmod);
  EXPECT_EQ(options.execution.threads, 3);
}

TEST(SolverSettings, KeepTheDefaultsThatAreHandedIn) {
  SolverOptions defaults;
  defaults.of<CondOptions>().virtual_gain = 3;
  defaults.of<ProxSolverOptions>().zeta = 0.25;
  const SolverOptions options = read_solver_settings({"solver.prox.r=2"}, defaults);
  EXPECT_EQ(options.of<CondOptions>().virtual_gain, 3);
  EXPECT_EQ(options.of<ProxSolverOptions>().zeta, 0.25);
  EXPECT_EQ(options.of<ProxSolverOptions>().r, 2);
}

TEST(SolverSettings, RefuseWhatIsNotDeclared) {
  using testing::HasSubstr;
  EXPECT_THAT(refused("solver.prox.rule=adaptiv"), HasSubstr("did you mean adaptive?"));
  EXPECT_THAT(refused("solver.prox.friction=cone"), HasSubstr("solver.prox.friction = cone"));
  EXPECT_THAT(refused("solver.penalty.integration=implicitly"),
              HasSubstr("did you mean implicit?"));
  EXPECT_THAT(refused("solver.lemke.facets=4.5"), HasSubstr("a whole number in [3, 256]"));
  EXPECT_THAT(refused("solver.xpbd.iterations=1.5"), HasSubstr("a whole number"));
  EXPECT_THAT(refused("solver.xpbd.substep=3"), HasSubstr("did you mean solver.xpbd.substeps?"));
  EXPECT_THAT(refused("solver.fischer.start=1"), HasSubstr("did you mean solver.fischer.starts?"));
  EXPECT_THAT(refused("solver.ccs.penalti=1"), HasSubstr("did you mean solver.ccs.penalty?"));
  EXPECT_THAT(refused("solver.ccs.over_relaxation=2"), HasSubstr("must be in [0.1, 1.9]"));
}

}  // namespace
}  // namespace nodia
