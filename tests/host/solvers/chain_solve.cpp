// Block elimination of chains with a border against dense factors, and its kernels by every
// launcher.
#include "host/solvers/elimination/chain_solve.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "host/solvers/newton/direct_solve.hpp"
#include "host/solvers/newton/inverse_energy.hpp"
#include "host/solvers/newton/relative_system.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/elimination/chain_elimination.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/batch_launches.hpp"
#include "tests/support/dense_algebra.hpp"
#include "tests/support/random_chains.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

using test::random_chains;
using test::RandomChains;
using test::RandomChainsOptions;

/// Matrices of all kinds.
RandomChainsOptions chains_of_kind(unsigned seed) {
  RandomChainsOptions options;
  options.seed = seed;
  if (seed % 5 == 0) options.n_link = {1};
  if (seed % 5 == 1) options.n_link = {40, 1, 25};
  if (seed % 5 == 2) options.n_link = {30};
  if (seed % 2 == 0) options.n_robot_row = 3;
  if (seed % 3 == 0) options.n_rigid = 2;
  if (seed % 5 > 0) options.n_cable_contact = static_cast<int>(seed % 4);
  if (seed % 5 > 0) options.n_slave = static_cast<int>(seed % 3);
  if (options.n_robot_row + options.n_rigid > 0) options.n_border_contact = 2;
  return options;
}

std::vector<Vec3d> chain_forces(int n_row, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Vec3d> f(n_row);
  for (Vec3d& x : f) x = {uniform(engine), uniform(engine), uniform(engine)};
  return f;
}

double relative_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += squared_norm(a[i] - b[i]);
    size += squared_norm(b[i]);
  }
  return std::sqrt(difference / size);
}

std::vector<Vec3d> dense_solution(const BlockMatrix& K, const std::vector<Vec3d>& f) {
  const Eigen::MatrixXd dense(K.to_eigen());
  const Eigen::Map<const Eigen::VectorXd> rhs(&f.data()->x, dense.rows());
  std::vector<Vec3d> x(f.size());
  Eigen::Map<Eigen::VectorXd>(&x.data()->x, dense.rows()) = test::solve_symmetric(dense, rhs);
  return x;
}

void expect_dense_solution(const BlockMatrix& K, ChainSolve* solve, unsigned seed) {
  ASSERT_TRUE(solve->factorise(K));
  const std::vector<Vec3d> f = chain_forces(K.n_row(), seed);
  std::vector<Vec3d> x;
  solve->solve(f, &x);
  EXPECT_LT(relative_difference(x, dense_solution(K, f)), 1e-11);
}

TEST(ChainSolve, EqualsADenseFactor) {
  int n_with_border = 0, n_links_in_border = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const RandomChains chains = random_chains(chains_of_kind(seed));
    ChainPlan plan;
    if (!make_chain_plan(*chains.K.pattern, chains.bodies, &plan)) continue;
    n_with_border += !plan.border_row.empty();
    for (const Body& body : chains.bodies)
      if (body.kind == BodyKind::chain)
        n_links_in_border += static_cast<int>(
            std::count_if(plan.border_row.begin(), plan.border_row.end(), [&](std::int32_t row) {
              return row >= body.first_row && row < body.first_row + body.n_row;
            }));
    ChainSolve solve;
    ASSERT_TRUE(solve.set_pattern(chains.K.pattern, chains.bodies));
    expect_dense_solution(chains.K, &solve, seed);
  }
  EXPECT_GT(n_with_border, 35);
  EXPECT_GT(n_links_in_border, 60);
}

/// What the Newton step gives it: relative coordinates, slaves, points, rigid bodies.
TEST(ChainSolve, EqualsADenseFactorInRelativeCoordinates) {
  int n = 0, n_slave = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const ContactProblem p = random_problem({.seed = seed,
                                             .n_node = 1,
                                             .n_world_contact = 0,
                                             .n_pair_contact = 0,
                                             .n_body = static_cast<int>(seed % 3),
                                             .n_body_contact = 2,
                                             .n_link = 8 + static_cast<int>(seed % 20)});
    const RelativeSystem system(p, {});
    ChainSolve solve;
    if (!solve.set_pattern(system.K.pattern, p.topology[0]->bodies)) continue;
    ++n;
    n_slave += system.relative.n_slave();
    expect_dense_solution(system.K, &solve, seed);
  }
  EXPECT_GT(n, 20);
  EXPECT_GT(n_slave, 20);
}

TEST(ChainSolve, RefusesWhatIsNotPositiveDefinite) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const RandomChains chains = random_chains(chains_of_kind(seed));
    ChainSolve solve;
    if (!solve.set_pattern(chains.K.pattern, chains.bodies)) continue;
    const Eigen::MatrixXd dense(chains.K.to_eigen());
    const double least = test::eigenvalues(dense)[0];
    for (const double share : {0.99, 1.01, 3.0}) {
      BlockMatrix shifted = chains.K;
      for (int i = 0; i < shifted.n_row(); ++i) {
        const int k = shifted.pattern->diagonal[i];
        shifted.set_block(k, shifted.block(k) - share * least * Mat3d::identity());
      }
      EXPECT_EQ(solve.factorise(shifted), share < 1) << share;
    }
    for (const int row : {0, chains.K.n_row() / 2, chains.K.n_row() - 1}) {
      BlockMatrix bad = chains.K;
      const int k = bad.pattern->diagonal[row];
      bad.set_block(k, std::numeric_limits<double>::quiet_NaN() * Mat3d::identity());
      EXPECT_FALSE(solve.factorise(bad)) << row;
    }
    expect_dense_solution(chains.K, &solve, seed);
  }
}

TEST(ChainSolve, AfterAnotherPatternItHasTheBitsOfANewOne) {
  ChainSolve kept;
  for (const unsigned seed : {1u, 2u, 7u, 2u, 5u, 1u}) {
    const RandomChains chains = random_chains(chains_of_kind(seed));
    const std::vector<Vec3d> f = chain_forces(chains.K.n_row(), seed);
    std::vector<Vec3d> x, expected;
    ChainSolve fresh;
    for (const auto& [solve, out] : {std::pair{&kept, &x}, std::pair{&fresh, &expected}}) {
      ASSERT_TRUE(solve->set_pattern(chains.K.pattern, chains.bodies)) << seed;
      ASSERT_TRUE(solve->factorise(chains.K));
      solve->solve(f, out);
    }
    EXPECT_EQ(test::count_different(x, expected), 0) << seed;
  }
}

TEST(ChainSolve, StepsAsideWithoutChainsAndWhereTheBorderIsLarge) {
  ChainSolve solve;
  const RandomChains bodies = random_chains({.n_link = {}, .n_rigid = 3});
  EXPECT_FALSE(solve.set_pattern(bodies.K.pattern, bodies.bodies));
  const RandomChains many = random_chains({.n_link = {2}, .n_rigid = 30});
  EXPECT_FALSE(solve.set_pattern(many.K.pattern, many.bodies));
  const RandomChains tangled = random_chains({.n_link = {40, 40}, .n_cable_contact = 200});
  EXPECT_FALSE(solve.set_pattern(tangled.K.pattern, tangled.bodies));
  // The Newton step's solve is as good by any way.
  for (const RandomChains* chains : {&bodies, &many, &tangled}) {
    DirectSolve direct(Factoriser::simplicial);
    ASSERT_TRUE(direct.factorise(chains->K, chains->bodies));
    const std::vector<Vec3d> f = chain_forces(chains->K.n_row(), 3);
    std::vector<Vec3d> x;
    direct.solve(f, &x);
    EXPECT_LT(relative_difference(x, dense_solution(chains->K, f)), 1e-11);
  }
}

TEST(DirectSolve, ChangesItsWayWithThePattern) {
  DirectSolve direct(Factoriser::simplicial);
  const RandomChains cable = random_chains({.n_link = {30}}),
                     bodies = random_chains({.n_link = {}, .n_rigid = 4}),
                     wall = random_chains({.n_link = {}, .n_rigid = 20});
  for (const RandomChains* chains : {&cable, &wall, &bodies, &cable, &bodies, &wall, &wall}) {
    ASSERT_TRUE(direct.factorise(chains->K, chains->bodies));
    const std::vector<Vec3d> f = chain_forces(chains->K.n_row(), 4);
    std::vector<Vec3d> x;
    direct.solve(f, &x);
    EXPECT_LT(relative_difference(x, dense_solution(chains->K, f)), 1e-11);
  }
}

TEST(InverseEnergy, IsExactWithChainsAndFromBelowWithout) {
  int n_exact = 0, n_below = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    const bool chain = seed % 2 == 0;
    const ContactProblem p = random_problem({.seed = seed,
                                             .n_node = chain ? 1 : 12,
                                             .n_world_contact = chain ? 0 : 4,
                                             .n_pair_contact = chain ? 0 : 2,
                                             .n_link = chain ? 12 : 0});
    const RelativeSystem system(p, {});
    ChainSolve chains;
    InverseEnergy energy(system, &chains);
    const std::vector<Vec3d> f = chain_forces(p.n_node(), seed);
    const double exact = dot(f, dense_solution(system.K, f));
    const double found = energy.squared(f, 10);
    if (chain) {
      EXPECT_NEAR(found, exact, 1e-11 * exact);
      n_exact += found > 0;
    } else {
      EXPECT_LE(found, exact * (1 + 1e-12));
      EXPECT_GT(found, 0.3 * exact);
      n_below += found < exact;
    }
  }
  EXPECT_EQ(n_exact, 10);
  EXPECT_GT(n_below, 5);
}

TEST(ChainPlan, TheBorderIsAVertexCoverAndTheRestIsABand) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const RandomChains chains = random_chains(chains_of_kind(seed));
    const BlockPattern& pattern = *chains.K.pattern;
    ChainPlan plan;
    if (!make_chain_plan(pattern, chains.bodies, &plan)) continue;
    std::vector<int> segment(pattern.n_row(), -1), place(pattern.n_row(), -1);
    int n_row = static_cast<int>(plan.border_row.size());
    for (std::size_t s = 0; s + 1 < plan.segment_begin.size(); ++s)
      for (std::int32_t k = plan.segment_begin[s]; k < plan.segment_begin[s + 1]; ++k)
        for (std::int32_t r = 0; r < 2; ++r, ++n_row) {
          segment[plan.link[k].row + r] = static_cast<int>(s);
          place[plan.link[k].row + r] = k;
        }
    EXPECT_EQ(n_row, pattern.n_row());
    for (const std::int32_t row : plan.border_row) EXPECT_EQ(segment[row], -1);
    for (int i = 0; i < pattern.n_row(); ++i)
      for (std::int32_t k = pattern.row_begin[i]; k < pattern.row_begin[i + 1]; ++k) {
        const std::int32_t j = pattern.column[k];
        if (segment[i] < 0 || segment[j] < 0) continue;
        EXPECT_EQ(segment[i], segment[j]);
        EXPECT_LE(std::abs(place[i] - place[j]), 1);
      }
  }
}

TEST(ChainPlan, ABorderAtAnEndFillsNothing) {
  for (const bool at_front : {true, false}) {
    RandomChains chains = random_chains({.n_link = {50}, .n_robot_row = 3});
    std::vector<std::pair<std::int32_t, std::int32_t>> couplings;
    for (int i = 0; i < chains.K.n_row(); ++i)
      for (std::int32_t k = chains.K.pattern->row_begin[i]; k < chains.K.pattern->row_begin[i + 1];
           ++k)
        couplings.emplace_back(i, chains.K.pattern->column[k]);
    for (std::int32_t r = 0; r < 3; ++r) couplings.emplace_back(at_front ? 0 : 98, 100 + r);
    ChainPlan plan;
    ASSERT_TRUE(
        make_chain_plan(*BlockPattern::from_couplings(103, couplings), chains.bodies, &plan));
    EXPECT_EQ(plan.border_row.size(), 3);
    EXPECT_EQ(plan.n_run_value, 3) << "one link a border row";
  }
}

TEST(ChainPlan, OfTwoCablesInContactOneLinkIsTheBorder) {
  // Link 3 of the first cable touches links 2, 3 and 4 of the second one.
  RandomChains chains = random_chains({.n_link = {9, 9}});
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings;
  for (int i = 0; i < chains.K.n_row(); ++i)
    for (std::int32_t k = chains.K.pattern->row_begin[i]; k < chains.K.pattern->row_begin[i + 1];
         ++k)
      couplings.emplace_back(i, chains.K.pattern->column[k]);
  for (const int link : {2, 3, 4}) couplings.emplace_back(2 * 3, 18 + 2 * link);
  ChainPlan plan;
  ASSERT_TRUE(make_chain_plan(*BlockPattern::from_couplings(36, couplings), chains.bodies, &plan));
  EXPECT_EQ(plan.border_row, (std::vector<std::int32_t>{6, 7}));
  EXPECT_EQ(plan.segment_begin, (std::vector<std::int32_t>{0, 3, 8, 17}));
}

/// Systems side by side, and their vectors.
struct ChainBatch {
  std::vector<RandomChains> chains;
  std::vector<ChainSolve> solve;
  std::vector<std::vector<Vec3d>> f, x;
  std::vector<ChainSystem> system;
  std::vector<ChainVectors> vectors;

  explicit ChainBatch(int n) : solve(n), f(n), x(n) {
    for (int e = 0; e < n; ++e) {
      chains.push_back(random_chains(chains_of_kind(static_cast<unsigned>(1 + e % 16))));
      const BlockMatrix& K = chains.back().K;
      EXPECT_TRUE(solve[e].set_pattern(K.pattern, chains.back().bodies));
      f[e] = chain_forces(K.n_row(), static_cast<unsigned>(e));
      x[e].resize(f[e].size());
    }
    for (int e = 0; e < n; ++e) {
      system.push_back(solve[e].system(chains[e].K));
      vectors.push_back({f[e].data(), x[e].data()});
    }
  }

  template <class Launcher>
  void launch(Launcher&& launcher) {
    EliminateChains eliminate;
    eliminate.system = system.data();
    SolveChains solves;
    solves.system = system.data();
    solves.vectors = vectors.data();
    const int n = static_cast<int>(system.size());
    launcher.launch("eliminate_chains", eliminate, n);
    launcher.launch("solve_chains", solves, n);
  }

  void name_regions(RaceDetector* launcher) const {
    for (std::size_t e = 0; e < system.size(); ++e) {
      const ChainSystem& s = system[e];
      const std::size_t n_link = s.segment_begin[s.n_segment];
      const std::size_t n_border = 3 * s.n_border;
      const auto name = [&](const auto* data, std::size_t n, const char* what) {
        if (n > 0) launcher->name_region(data, n * sizeof(*data), what);
      };
      name(s.K, chains[e].K.value.size(), "K");
      name(s.inverse, n_link, "inverse");
      name(s.factor, n_link, "factor");
      name(s.work, n_link, "work");
      std::size_t n_value = 0;
      for (int r = 0; r < s.n_run; ++r)
        n_value += s.segment_begin[s.run[r].segment + 1] - s.run[r].first_link;
      name(s.run_value, n_value, "run_value");
      name(s.schur, n_border * n_border, "schur");
      name(s.border_work, n_border, "border_work");
      name(s.definite, s.n_segment + 1, "definite");
      name(vectors[e].f, f[e].size(), "f");
      name(vectors[e].x, x[e].size(), "x");
    }
  }

  /// The bits of each alone, by the solver's own launches.
  void expect_bits_of_each_alone() const {
    for (std::size_t e = 0; e < chains.size(); ++e) {
      ChainSolve alone;
      ASSERT_TRUE(alone.set_pattern(chains[e].K.pattern, chains[e].bodies));
      EXPECT_EQ(alone.factorise(chains[e].K), system[e].definite[system[e].n_segment] != 0);
      std::vector<Vec3d> expected;
      alone.solve(f[e], &expected);
      EXPECT_EQ(test::count_different(x[e], expected), 0) << "environment " << e;
    }
  }
};

TEST(ChainKernels, ABatchHasTheBitsOfEachAloneWithEveryInstructionSet) {
  test::expect_bits_of_each_alone_on_the_cpu<ChainBatch>(64);
}

TEST(ChainKernels, AreFreeOfRacesAndOfAccessesOutOfBounds) {
  test::expect_bits_of_each_alone_without_races<ChainBatch>(16);
}

}  // namespace
}  // namespace nodia
