// The multigrid hierarchy: what it gathers, its products against dense ones, its cycle as an
// operator, its kernels by every launcher, and the Newton solver with it against Cholesky factors.
#include "host/solvers/multigrid/multigrid.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <thread>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/multigrid/cpu_gradients.hpp"
#include "host/solvers/newton/newton.hpp"
#include "host/solvers/newton/relative_system.hpp"
#include "host/solvers/newton/whole_body_energy.hpp"
#include "kernels/multigrid/multigrid_build.hpp"
#include "tests/support/batch_launches.hpp"
#include "tests/support/dense_algebra.hpp"
#include "tests/support/joined_problems.hpp"
#include "tests/support/lattice_problem.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/solve_once.hpp"

namespace nodia {
namespace {

using test::lattice_problem;
using test::LatticeOptions;

LatticeOptions lattice_of_kind(unsigned seed) {
  LatticeOptions options;
  options.seed = seed;
  if (seed % 4 == 1) options.blocks = {{7, 6, 5}};
  if (seed % 4 == 2) options.blocks = {{5, 5, 3}, {5, 5, 4}};
  if (seed % 4 == 3) options.blocks = {{12, 11, 2}};
  if (seed % 3 == 1) options.n_rigid = 2;
  if (seed % 3 == 2) options.n_robot_row = 3;
  // So few that the coarsest level is inverted, and more.
  if (seed % 5 == 2) options.n_link = 8;
  if (seed % 5 == 4) options.n_link = 50;
  return options;
}

std::vector<Vec3d> lattice_vector(int n_row, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Vec3d> x(static_cast<std::size_t>(n_row));
  for (Vec3d& a : x) a = {uniform(engine), uniform(engine), uniform(engine)};
  return x;
}

/// A hierarchy of A itself, without contacts.
void build(const ContactProblem& p, Multigrid* multigrid) {
  AggregatePool pool;
  multigrid->set_topology(p.topology[0], &pool);
  std::vector<Vec3d> direction;
  multigrid->estimate_lambda_max(p.A, &direction);
  multigrid->set_matrix(p.A);
  multigrid->build(p.position, std::vector<Mat3d>(p.b.size(), Mat3d::identity()));
}

TEST(AggregatePool, HasOneForATopologyAndForgetsTheExpired) {
  AggregatePool pool;
  const ContactProblem a = lattice_problem(lattice_of_kind(1)),
                       b = lattice_problem(lattice_of_kind(2));
  const AggregatePool::Levels of_a = pool.of(a.topology[0]);
  EXPECT_EQ(pool.of(a.topology[0]), of_a);
  EXPECT_EQ(*of_a, make_aggregates(*a.topology[0]));
  EXPECT_EQ(*pool.of(b.topology[0]), make_aggregates(*b.topology[0]));
  // An object of its own, equal or not: the pool goes by identity, as TopologyPool makes them.
  const auto copy = std::make_shared<const Topology>(*a.topology[0]);
  EXPECT_EQ(*pool.of(copy), *of_a);
  std::weak_ptr<const std::vector<AggregateLevel>> kept;
  {
    const auto gone = std::make_shared<const Topology>(*b.topology[0]);
    kept = pool.of(gone);
  }
  pool.of(std::make_shared<const Topology>(*b.topology[0]));
  EXPECT_TRUE(kept.expired());
}

TEST(AggregatePool, MakesOneWhereThreadsAskAtOnce) {
  AggregatePool pool;
  const ContactProblem a = lattice_problem(lattice_of_kind(1)),
                       b = lattice_problem(lattice_of_kind(2));
  constexpr int kThreads = 8;
  std::vector<AggregatePool::Levels> found(kThreads);
  std::vector<std::thread> threads;
  for (int k = 0; k < kThreads; ++k)
    threads.emplace_back([&, k] { found[k] = pool.of((k % 2 == 0 ? a : b).topology[0]); });
  for (std::thread& thread : threads) thread.join();
  for (int k = 2; k < kThreads; ++k) EXPECT_EQ(found[k], found[k - 2]);
  EXPECT_EQ(*found[0], make_aggregates(*a.topology[0]));
  EXPECT_EQ(*found[1], make_aggregates(*b.topology[0]));
}

TEST(Aggregates, HoldEveryRowOnceAndNoTwoBodies) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const ContactProblem p = lattice_problem(lattice_of_kind(seed));
    const Topology& topology = *p.topology[0];
    const std::vector<AggregateLevel> levels = make_aggregates(topology);
    ASSERT_GE(levels.size(), 2u);
    std::vector<int> body_of(static_cast<std::size_t>(topology.n_row()));
    for (std::size_t k = 0; k < topology.bodies.size(); ++k)
      std::fill_n(body_of.begin() + topology.bodies[k].first_row, topology.bodies[k].n_row,
                  static_cast<int>(k));
    int n_row = topology.n_row();
    for (std::size_t l = 0; l < levels.size(); ++l) {
      const AggregateLevel& level = levels[l];
      EXPECT_EQ(level.n_row(), n_row);
      if (l + 1 == levels.size()) {
        EXPECT_EQ(level.n_aggregate(), 0);
        break;
      }
      std::vector<std::int32_t> rows = level.member;
      std::sort(rows.begin(), rows.end());
      std::vector<std::int32_t> all(static_cast<std::size_t>(n_row));
      std::iota(all.begin(), all.end(), 0);
      EXPECT_EQ(rows, all);
      std::vector<int> coarse_body(static_cast<std::size_t>(2 * level.n_aggregate()));
      for (int a = 0; a < level.n_aggregate(); ++a)
        for (std::int32_t e = level.member_begin[a]; e < level.member_begin[a + 1]; ++e) {
          const std::int32_t i = level.member[e];
          EXPECT_EQ(level.aggregate[i], a);
          EXPECT_EQ(body_of[i], body_of[level.member[level.member_begin[a]]]);
          coarse_body[2 * a] = coarse_body[2 * a + 1] = body_of[i];
          EXPECT_EQ(level.is_fixed[a] != 0, topology.bodies[body_of[i]].kind != BodyKind::soft);
        }
      body_of = coarse_body;
      n_row = 2 * level.n_aggregate();
    }
  }
}

TEST(Coarsening, IsTheGalerkinProduct) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const ContactProblem p = lattice_problem(lattice_of_kind(seed));
    Multigrid multigrid;
    build(p, &multigrid);
    const MultigridBuild fine = multigrid.build_arrays(0);
    const std::vector<AggregateLevel> levels = make_aggregates(*p.topology[0]);
    const int n = p.n_node(), n_coarse = 2 * levels[0].n_aggregate();
    Eigen::MatrixXd P = Eigen::MatrixXd::Zero(3 * n, 3 * n_coarse);
    for (int i = 0; i < n; ++i)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          P(3 * i + r, 6 * fine.aggregate[i] + c) = fine.prolongation[i].t(r, c);
          P(3 * i + r, 6 * fine.aggregate[i] + 3 + c) = fine.prolongation[i].w(r, c);
        }
    const Eigen::MatrixXd expected = P.transpose() * Eigen::MatrixXd(p.A.to_eigen()) * P;
    const MultigridBuild next = multigrid.build_arrays(1);
    Eigen::MatrixXd found = Eigen::MatrixXd::Zero(3 * n_coarse, 3 * n_coarse);
    for (int i = 0; i < n_coarse; ++i)
      for (std::int32_t k = next.row_begin[i]; k < next.row_begin[i + 1]; ++k)
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c)
            found(3 * i + r, 3 * next.column[k] + c) = next.K[9 * k + 3 * c + r];
    // Half an aggregate, the last row of a robot, has no motion: one on the diagonal.
    for (int i = 0; i < 3 * n_coarse; ++i)
      if (expected(i, i) == 0) found(i, i) -= 1;
    EXPECT_LT((found - expected).norm(), 1e-7 * expected.norm());
    EXPECT_LT((found - found.transpose()).norm(), 1e-14 * expected.norm());
  }
}

/// A body that moves as a whole moves so on the coarse level: A has no stiffness against it.
TEST(Multigrid, RigidMotionsAreInTheRangeOfItsProlongation) {
  const ContactProblem p = lattice_problem({.blocks = {{6, 5, 4}}});
  Multigrid multigrid;
  build(p, &multigrid);
  const MultigridBuild fine = multigrid.build_arrays(0);
  const Vec3d velocity{1, -2, 0.5}, omega{3, 1, -2};
  const std::vector<AggregateLevel> levels = make_aggregates(*p.topology[0]);
  for (int a = 0; a < levels[0].n_aggregate(); ++a) {
    const std::int32_t first = levels[0].member_begin[a], end = levels[0].member_begin[a + 1];
    Eigen::MatrixXd P(3 * (end - first), 6);
    Eigen::VectorXd v(3 * (end - first));
    for (std::int32_t e = first; e < end; ++e) {
      const std::int32_t i = levels[0].member[e];
      const Vec3d wanted = velocity + cross(omega, p.position[i]);
      for (int r = 0; r < 3; ++r) {
        v(3 * (e - first) + r) = wanted[r];
        for (int c = 0; c < 3; ++c) {
          P(3 * (e - first) + r, c) = fine.prolongation[i].t(r, c);
          P(3 * (e - first) + r, 3 + c) = fine.prolongation[i].w(r, c);
        }
      }
    }
    const Eigen::VectorXd x = P.colPivHouseholderQr().solve(v);
    EXPECT_LT((P * x - v).norm(), 1e-12 * v.norm());
  }
}

TEST(Multigrid, AMatrixThatChangedInFewBlocksIsUpdatedToTheSameBits) {
  ContactProblem p = lattice_problem(lattice_of_kind(3));
  Multigrid updated, whole;
  build(p, &updated);
  build(p, &whole);
  std::vector<std::int32_t> blocks;
  for (int i = 0; i < p.n_node(); i += 3) {
    const std::int32_t k = p.A.pattern->diagonal[i];
    p.A.set_block(k, 1.5 * p.A.block(k));
    blocks.push_back(k);
  }
  updated.update_matrix(blocks);
  whole.set_matrix(p.A);
  const std::vector<Vec3d> r = lattice_vector(p.n_node(), 5);
  std::vector<Vec3d> z, expected;
  updated.cycle(r, &z);
  whole.cycle(r, &expected);
  EXPECT_EQ(test::count_different(z, expected), 0);
}

TEST(Multigrid, ACycleIsSymmetricAndPositiveDefinite) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const ContactProblem p = lattice_problem(lattice_of_kind(seed));
    Multigrid multigrid;
    build(p, &multigrid);
    for (unsigned k = 0; k < 5; ++k) {
      const std::vector<Vec3d> x = lattice_vector(p.n_node(), 2 * k),
                               y = lattice_vector(p.n_node(), 2 * k + 1);
      std::vector<Vec3d> Cx, Cy;
      multigrid.cycle(x, &Cx);
      multigrid.cycle(y, &Cy);
      EXPECT_GT(dot(x, Cx), 0);
      // As far as single precision goes.
      EXPECT_NEAR(dot(x, Cy), dot(y, Cx), 2e-6 * std::sqrt(dot(x, Cx) * dot(y, Cy)));
    }
  }
}

int iterations_to(double share, const ContactProblem& p) {
  Multigrid multigrid;
  build(p, &multigrid);
  CpuGradients gradients(&multigrid);
  gradients.set_matrix(p.A);
  gradients.start(p.b);
  EXPECT_EQ(gradients.run(share, 0, 100).outcome, GradientOutcome::stepped);
  const int found = gradients.state().iterations;
  EXPECT_TRUE(reaches(gradients.state(), share, 0));
  EXPECT_EQ(gradients.run(1e-24, 0, 100).outcome, GradientOutcome::stepped);
  std::vector<Vec3d> x;
  gradients.take(&x);
  std::vector<Vec3d> residual = p.A.multiply(x);
  for (std::size_t i = 0; i < residual.size(); ++i) residual[i] = p.b[i] - residual[i];
  EXPECT_LT(dot(residual, residual), 1e-12 * dot(p.b, p.b));
  return found;
}

TEST(Multigrid, IterationsHardlyGrowWithSizeAndStiffness) {
  const auto block = [](int n, double stiffness) {
    return lattice_problem({.blocks = {{n, n, n}}, .stiffness_N_m = stiffness, .contacts = false});
  };
  const int small = iterations_to(1e-8, block(5, 1e3));
  EXPECT_LE(small, 15);
  for (const double stiffness : {1e3, 1e5, 1e7}) {
    EXPECT_LE(iterations_to(1e-8, block(8, stiffness)), small + 8) << stiffness;
    EXPECT_LE(iterations_to(1e-8, block(14, stiffness)), small + 10) << stiffness;
  }
}

/// Single precision would lose the bending of such a cable in what stretches it.
TEST(Multigrid, IterationsHardlyGrowWithTheStiffnessOfACable) {
  const auto block = [](double stiffness) {
    return lattice_problem(
        {.blocks = {{8, 8, 8}}, .n_link = 60, .cable_stiffness = stiffness, .contacts = false});
  };
  const int soft = iterations_to(1e-8, block(1));
  EXPECT_LE(soft, 20);
  for (const double stiffness : {1e3, 1e5, 1e7, 1e9})
    EXPECT_LE(iterations_to(1e-8, block(stiffness)), soft + 2) << stiffness;
}

TEST(WholeBodyEnergy, IsExactForTheMotionsThatItKnowsAndFromBelowForOthers) {
  const ContactProblem p = lattice_problem({.blocks = {{4, 4, 3}}, .n_rigid = 1, .n_robot_row = 3});
  const WholeBodyEnergy energy(p);
  const Eigen::MatrixXd A = p.A.to_eigen();
  const auto exact = [&](const std::vector<Vec3d>& f) {
    const Eigen::Map<const Eigen::VectorXd> force(&f.data()->x, A.rows());
    return force.dot(test::solve_symmetric(A, force).col(0));
  };
  std::vector<Vec3d> f = lattice_vector(p.n_node(), 1);
  EXPECT_LE(energy(f), exact(f));
  // Weight moves a soft body without deforming it.
  std::fill_n(f.begin(), 48, Vec3d{0.3, 0, -1});
  EXPECT_NEAR(energy(f), exact(f), 1e-9 * exact(f));
}

/// Hierarchies side by side, of different depths, and a cycle of each.
struct MultigridBatch {
  std::vector<ContactProblem> problem;
  std::vector<Multigrid> multigrid;
  std::vector<std::vector<Vec3d>> r, z;
  std::vector<std::vector<std::vector<double>>> coarse, inverse;  ///< [level][environment]
  std::vector<MultigridLevel> level;
  std::vector<std::vector<MultigridBuild>> build_of_level;
  std::vector<LevelSize> size;
  int n_level = 0, n_env;

  explicit MultigridBatch(int n) : multigrid(n), r(n), z(n), n_env(n) {
    for (int e = 0; e < n; ++e) {
      LatticeOptions options = lattice_of_kind(static_cast<unsigned>(e));
      if (e % 4 == 0) options.blocks = {{9, 8, 8}};
      problem.push_back(lattice_problem(options));
    }
    for (int e = 0; e < n; ++e) {
      build(problem[e], &multigrid[e]);
      n_level = std::max(n_level, multigrid[e].n_level());
      r[e] = lattice_vector(problem[e].n_node(), static_cast<unsigned>(e));
    }
    level.resize(static_cast<std::size_t>(n_level * n));
    size.resize(n_level);
    coarse.resize(n_level, std::vector<std::vector<double>>(n));
    inverse = coarse;
    build_of_level.resize(n_level, std::vector<MultigridBuild>(n));
    for (int e = 0; e < n; ++e) {
      const std::vector<MultigridLevel> own = multigrid[e].levels(r[e], &z[e]);
      for (int l = 0; l < multigrid[e].n_level(); ++l) {
        level[l * n + e] = own[l];
        const LevelSize& s = multigrid[e].sizes()[l];
        size[l].n_row = std::max(size[l].n_row, s.n_row);
        size[l].n_group = std::max(size[l].n_group, s.n_group);
        size[l].n_aggregate = std::max(size[l].n_aggregate, s.n_aggregate);
        size[l].n_cable_row = std::max(size[l].n_cable_row, s.n_cable_row);
        size[l].n_dense_row = std::max(size[l].n_dense_row, s.n_dense_row);
        MultigridBuild& b = build_of_level[l][e] = multigrid[e].build_arrays(l);
        b.n_group = own[l].n_group;  // none where the matrix is inverted
        inverse[l][e].resize(n_inverse(b));
        b.inverse = inverse[l][e].data();
        if (b.n_coarse_block == 0) continue;
        const MultigridBuild next = multigrid[e].build_arrays(l + 1);
        coarse[l][e].resize(9 * static_cast<std::size_t>(next.row_begin[2 * s.n_aggregate]));
        b.coarse_K = coarse[l][e].data();
      }
    }
  }

  /// Numbers of the groups' inverses.
  static std::size_t n_inverse(const MultigridBuild& b) {
    std::size_t n = 0;
    for (int g = 0; g < b.n_group; ++g) {
      const auto size = static_cast<std::size_t>(3 * (b.group_begin[g + 1] - b.group_begin[g]));
      if (b.segment[g] < 0) n += size * size;
    }
    return n;
  }

  template <class Name>
  static void name_cables(const ChainSystem& s, const Name& name) {
    if (s.n_segment == 0) return;
    const auto n_link = static_cast<std::size_t>(s.segment_begin[s.n_segment]);
    const auto n_border = static_cast<std::size_t>(3 * s.n_border);
    name(s.inverse, n_link, "links_inverse");
    name(s.factor, n_link, "links_factor");
    name(s.work, n_link, "links_work");
    name(s.schur, n_border * n_border, "border_schur");
    name(s.border_work, n_border, "border_work");
    std::size_t n_value = 0;
    for (int r = 0; r < s.n_run; ++r)
      n_value +=
          static_cast<std::size_t>(s.segment_begin[s.run[r].segment + 1] - s.run[r].first_link);
    name(s.run_value, n_value, "run_value");
  }

  template <class Launcher>
  void launch(Launcher&& launcher) {
    for (int l = 0; l < n_level; ++l) {
      int n_block = 0;
      for (const MultigridBuild& b : build_of_level[l])
        n_block = std::max(n_block, b.n_coarse_block);
      launch_elements(launcher, "coarsen_matrix", CoarsenMatrix{}, build_of_level[l].data(), n_env,
                      n_block);
      launch_elements(launcher, "round_matrix", RoundMatrix{}, build_of_level[l].data(), n_env,
                      size[l].n_row);
      launch_elements(launcher, "invert_groups", InvertGroups{}, build_of_level[l].data(), n_env,
                      size[l].n_group);
    }
    launch_cycle(launcher, level.data(), n_env, size.data(), n_level);
  }

  void name_regions(RaceDetector* launcher) const {
    const auto name = [&](const auto* data, std::size_t n, const char* what) {
      if (n > 0) launcher->name_region(data, n * sizeof(*data), what);
    };
    for (int l = 0; l < n_level; ++l)
      for (int e = 0; e < n_env; ++e) {
        const MultigridLevel& s = level[l * n_env + e];
        const auto n = static_cast<std::size_t>(s.n_row);
        if (n == 0) continue;
        name(s.right, kNodeStride * n, "right");
        name(s.x, kNodeStride * n, "x");
        name(s.half, kNodeStride * n, "half");
        name(s.step, kNodeStride * n, "step");
        name(s.residual, kNodeStride * n, "residual");
        if (l == 0) {
          name(s.given, n, "given");
          name(s.solution, n, "answer");
        }
        if (s.n_dense_row > 0) {
          const std::int64_t n_block =
              s.dense_pattern.slice_begin[(n + kSliceRows - 1) / kSliceRows];
          name(s.dense_value, static_cast<std::size_t>(n_block * kSliceBlock), "dense_value");
          name(s.dense_pattern.column, static_cast<std::size_t>(n_block * kSliceRows),
               "dense_column");
        }
        const MultigridBuild& b = build_of_level[l][e];
        if (b.n_row > 0) {
          const std::int32_t n_slice = (b.n_row + kSliceRows - 1) / kSliceRows;
          const std::int64_t n_block = b.pattern.slice_begin[n_slice];
          name(b.rounded_K, static_cast<std::size_t>(n_block * kSliceBlock), "rounded_K");
          name(b.pattern.column, static_cast<std::size_t>(n_block * kSliceRows), "column");
        }
        name(b.rounded_inverse, n_inverse(b), "rounded_inverse");
        name_cables(s.cables, name);
        name_cables(s.whole, name);
        name(b.K, 9 * static_cast<std::size_t>(b.row_begin[n]), "K");
        name(b.inverse, inverse[l][e].size(), "inverse");
        name(b.coarse_K, coarse[l][e].size(), "coarse_K");
      }
  }

  /// The bits of each alone, by the solver's own launches.
  void expect_bits_of_each_alone() const {
    for (int e = 0; e < n_env; ++e) {
      Multigrid alone;
      build(problem[e], &alone);
      std::vector<Vec3d> expected;
      alone.cycle(r[e], &expected);
      EXPECT_EQ(test::count_different(z[e], expected), 0) << "environment " << e;
      for (int l = 0; l + 1 < alone.n_level(); ++l) {
        const double* K = alone.build_arrays(l + 1).K;
        EXPECT_TRUE(std::equal(coarse[l][e].begin(), coarse[l][e].end(), K));
      }
    }
  }
};

TEST(MultigridKernels, ABatchHasTheBitsOfEachAloneWithEveryInstructionSet) {
  test::expect_bits_of_each_alone_on_the_cpu<MultigridBatch>(12);
}

TEST(MultigridKernels, AreFreeOfRacesAndOfAccessesOutOfBounds) {
  test::expect_bits_of_each_alone_without_races<MultigridBatch>(5);
}

SolverOptions newton_with(LinearSolver linear_solver, double tolerance) {
  SolverOptions options;
  options.solver = "newton";
  options.tolerance = tolerance;
  options.execution.threads = 1;
  options.of<NewtonOptions>().linear_solver = linear_solver;
  return options;
}

double relative_distance(const ContactProblem& p, const std::vector<Vec3d>& a,
                         const std::vector<Vec3d>& b) {
  std::vector<Vec3d> difference = a;
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] -= b[i];
  return std::sqrt(dot(difference, p.A.multiply(difference)) / dot(b, p.A.multiply(b)));
}

TEST(NewtonWithMultigrid, EqualsNewtonWithFactorsAndKnowsItsError) {
  int n = 0;
  for (const double tolerance : {1e-3, 1e-6})
    for (unsigned seed = 1; seed <= 24; ++seed) {
      SCOPED_TRACE(seed);
      LatticeOptions kind = lattice_of_kind(seed);
      kind.friction = seed % 5 == 0 ? 1.5 : 0.4;
      if (seed % 7 == 0) kind.contacts = false;
      const ContactProblem p = lattice_problem(kind);
      const Solution found = test::solve_once(p, newton_with(LinearSolver::automatic, tolerance));
      const Solution exact = test::solve_once(p, newton_with(LinearSolver::direct, 1e-9));
      ASSERT_EQ(exact.env[0].status, SolveStatus::converged);
      ASSERT_EQ(found.env[0].status, SolveStatus::converged) << found.env[0].reason;
      const double error = relative_distance(p, found.v, exact.v);
      EXPECT_LE(error, 2 * tolerance);
      if (p.contacts.empty() || error < 1e-8) continue;
      ++n;
      EXPECT_GT(found.env[0].error_estimate, error / 3);
    }
  EXPECT_GE(n, 30);
}

TEST(NewtonWithMultigrid, AnEnvironmentOfABatchHasTheBitsOfItsOwnSolve) {
  std::vector<ContactProblem> parts;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    LatticeOptions options = lattice_of_kind(4 * seed + 1);
    options.n_rigid = options.n_robot_row = options.n_link = 0;
    parts.push_back(lattice_problem(options));
  }
  const ContactProblem batch = test::joined(parts);
  const SolverOptions options = newton_with(LinearSolver::automatic, 1e-4);
  const Solution whole = test::solve_once(batch, options);
  for (int e = 0; e < batch.n_env(); ++e) {
    const Solution own = test::solve_once(parts[e], options);
    EXPECT_EQ(whole.env[e].iterations, own.env[0].iterations);
    EXPECT_EQ(test::count_different({whole.v.begin() + batch.env_node_begin[e],
                                     whole.v.begin() + batch.env_node_begin[e + 1]},
                                    own.v),
              0);
  }
}

/// Its state (where power iterations ended, the velocity before the last) is a value: a
/// solver that gets it goes on with the same bits, and one that forgets is as new.
TEST(NewtonWithMultigrid, LeavesLargeProblemsUnfactorisedAndSaysSo) {
  ContactProblem p = lattice_problem({.blocks = {{26, 25, 25}}});
  for (double& a : p.A.value) a = -a;  // what multigrid cannot solve
  Solution s;
  make_solver(newton_with(LinearSolver::automatic, 1e-3))->solve(p, {}, &s);
  EXPECT_EQ(s.env[0].status, SolveStatus::stalled);
  EXPECT_NE(s.env[0].reason.find("16250 rows"), std::string::npos) << s.env[0].reason;
  EXPECT_TRUE(is_finite(s.v));
}

TEST(NewtonWithMultigrid, ItsMemoryIsAValue) {
  const ContactProblem p = lattice_problem({.seed = 3, .blocks = {{6, 5, 4}}}),
                       next = lattice_problem({.seed = 4, .blocks = {{6, 5, 4}}});
  const SolverOptions options = newton_with(LinearSolver::automatic, 1e-5);
  const auto solver = make_solver(options), other = make_solver(options);
  Solution first, second, handed, forgotten, fresh;
  solver->solve(p, {p.b, {}}, &first);
  const SolverState memory = solver->state(0);
  const WarmStart warm{first.v, {}};
  solver->solve(next, warm, &second);
  other->set_state(0, memory);
  other->solve(next, warm, &handed);
  EXPECT_EQ(test::count_different(second.v, handed.v), 0);
  other->reset(0);
  other->solve(next, warm, &forgotten);
  make_solver(options)->solve(next, warm, &fresh);
  EXPECT_EQ(test::count_different(forgotten.v, fresh.v), 0);
  EXPECT_GT(test::count_different(second.v, fresh.v), 0);
}

/// By whatever way the solver is made; alone it has its own.
TEST(NewtonWithMultigrid, SolversOfOnePoolShareAggregatesAndNoBits) {
  const ContactProblem p = lattice_problem({.seed = 3, .blocks = {{6, 5, 4}}});
  for (const char* name : {"newton", "auto"}) {
    SCOPED_TRACE(name);
    SolverOptions options = newton_with(LinearSolver::automatic, 1e-5);
    options.solver = name;
    const auto pool = std::make_shared<AggregatePool>();
    const auto first = make_solver(options, pool), second = make_solver(options, pool),
               alone = make_solver(options);
    Solution of_first, of_second, of_alone;
    first->solve(p, {}, &of_first);
    second->solve(p, {}, &of_second);
    alone->solve(p, {}, &of_alone);
    const AggregatePool::Levels levels = pool->of(p.topology[0]);
    EXPECT_EQ(levels.use_count(), 4) << "the pool's, this one, and one a solver";
    for (const Solution* s : {&of_first, &of_second}) {
      EXPECT_EQ(test::count_different(s->v, of_alone.v), 0);
      EXPECT_EQ(test::count_different(s->lambda, of_alone.lambda), 0);
    }
  }
}

TEST(NewtonWithMultigrid, ADamagedMemoryDoesNoHarm) {
  const ContactProblem p = lattice_problem({.seed = 3, .blocks = {{5, 4, 4}}});
  const SolverOptions options = newton_with(LinearSolver::automatic, 1e-5);
  const auto solver = make_solver(options);
  Solution first;
  solver->solve(p, {p.b, {}}, &first);
  const SolverState memory = solver->state(0);
  const std::size_t n = memory.at("multigrid").size();
  ASSERT_GT(n, 1000u);
  constexpr double kBad[] = {-1, 0.5, 3, 1e12, std::numeric_limits<double>::quiet_NaN()};
  std::mt19937 engine(1);
  for (int trial = 0; trial < 300; ++trial) {
    SolverState damaged = memory;
    std::vector<double>& numbers = damaged.at("multigrid");
    // The first ones are counts; the others are found by chance.
    const std::size_t k = trial < 20 ? trial / 5 : engine() % n;
    SCOPED_TRACE(testing::Message() << "number " << k << " of " << n << ", trial " << trial);
    if (trial % 50 == 49)
      numbers.resize(k);
    else
      numbers[k] = kBad[trial % 5];
    const auto other = make_solver(options);
    other->set_state(0, damaged);
    Solution s;
    other->solve(p, {first.v, first.lambda}, &s);
    EXPECT_EQ(s.env[0].status, SolveStatus::converged) << s.env[0].reason;
    EXPECT_TRUE(is_finite(s.v));
  }
}

TEST(NewtonWithMultigrid, IsNotTakenWithoutPlacesOrSoftBodies) {
  ContactProblem p = lattice_problem({});
  p.position.clear();
  const Solution a = test::solve_once(p, newton_with(LinearSolver::automatic, 1e-4)),
                 b = test::solve_once(p, newton_with(LinearSolver::direct, 1e-4));
  EXPECT_EQ(a.env[0].status, SolveStatus::converged);
  EXPECT_EQ(test::count_different(a.v, b.v), 0);
}

}  // namespace
}  // namespace nodia
