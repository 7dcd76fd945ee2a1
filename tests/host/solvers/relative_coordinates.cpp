// Relative coordinates against dense matrices.
#include "host/solvers/newton/relative_coordinates.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <memory>

#include "host/solvers/newton/smoothing.hpp"
#include "kernels/contact/law.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/batch_launches.hpp"
#include "tests/support/dense_reference.hpp"
#include "tests/support/lattice_problem.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

using dense_reference_detail::dense_jacobian;
using dense_reference_detail::dense_matrix;

ContactProblem problem_with_everything(unsigned seed) {
  return random_problem({.seed = seed,
                         .n_node = 20,
                         .n_world_contact = 5,
                         .n_pair_contact = 4,
                         .n_body = 2,
                         .n_body_contact = 3,
                         .n_triangle_contact = 4,
                         .n_link = 6});
}

std::vector<double> some_weights(const ContactProblem& p) {
  std::vector<double> weight;
  for (int m = 0; m < p.n_contact(); ++m) weight.push_back(m % 3);
  return weight;
}

Eigen::VectorXd flat(const std::vector<Vec3d>& a) {
  return Eigen::Map<const Eigen::VectorXd>(&a.data()->x, static_cast<Eigen::Index>(3 * a.size()));
}

std::vector<Vec3d> random_vectors(std::size_t n, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Vec3d> v(n);
  for (Vec3d& x : v) x = {uniform(engine), uniform(engine), uniform(engine)};
  return v;
}

/// T column by column.
Eigen::MatrixXd dense_transform(const RelativeCoordinates& relative, int n_row) {
  Eigen::MatrixXd T(3 * n_row, 3 * n_row);
  for (int k = 0; k < 3 * n_row; ++k) {
    std::vector<Vec3d> unit(n_row);
    unit[k / 3][k % 3] = 1;
    relative.to_velocity(&unit);
    T.col(k) = flat(unit);
  }
  return T;
}

TEST(RelativeCoordinates, AreTheDenseTransform) {
  int slaves = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const ContactProblem p = problem_with_everything(seed);
    const RelativeCoordinates relative(p, some_weights(p));
    slaves += relative.n_slave();
    const Eigen::MatrixXd T = dense_transform(relative, p.n_node());

    const Eigen::MatrixXd K = T.transpose() * dense_matrix(p) * T;
    const BlockMatrix own = relative_matrix(p, relative).value_or(p.A);
    EXPECT_LT((Eigen::MatrixXd(own.to_eigen()) - K).cwiseAbs().maxCoeff(),
              1e-12 * K.cwiseAbs().maxCoeff());

    const Eigen::MatrixXd J = dense_jacobian(p) * T;
    Eigen::MatrixXd parts = Eigen::MatrixXd::Zero(J.rows(), J.cols());
    for (int m = 0; m < p.n_contact(); ++m)
      for (const ContactPart* e = relative.begin(m); e != relative.end(m); ++e) {
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) parts(3 * m + a, 3 * e->row + b) = e->J(a, b);
        for (const ContactPart* f = relative.begin(m); f != relative.end(m); ++f)
          EXPECT_GE(own.pattern->find(e->row, f->row), 0) << "the pattern holds a contact's rows";
      }
    EXPECT_LT((parts - J).cwiseAbs().maxCoeff(), 1e-13);

    const std::vector<Vec3d> x = random_vectors(p.b.size(), seed);
    std::vector<Vec3d> y = x;
    relative.to_relative(&y);
    relative.to_velocity(&y);
    EXPECT_LT((flat(y) - flat(x)).norm(), 1e-13);
    y = x;
    relative.gather(&y);
    EXPECT_LT((flat(y) - T.transpose() * flat(x)).norm(), 1e-13);
    relative.scatter(&y);
    EXPECT_LT((flat(y) - flat(x)).norm(), 1e-13);
  }
  EXPECT_GT(slaves, 60);
}

TEST(RelativeCoordinates, ASingleContactIsAloneOnItsRow) {
  int n_single = 0, n_coupled = 0, n_rigid = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const ContactProblem p = problem_with_everything(seed);
    const RelativeCoordinates relative(p, some_weights(p));
    std::vector<int> touching(p.b.size(), 0);
    for (int m = 0; m < p.n_contact(); ++m)
      for (const ContactPart* e = relative.begin(m); e != relative.end(m); ++e) ++touching[e->row];
    for (int m = 0; m < p.n_contact(); ++m) {
      const auto n = relative.end(m) - relative.begin(m);
      switch (relative.contact_class(m)) {
        case ContactClass::single: {
          ++n_single;
          ASSERT_EQ(n, 1);
          EXPECT_EQ(touching[relative.begin(m)->row], 1);
          const Mat3d JJt = relative.begin(m)->J * transpose(relative.begin(m)->J);
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) EXPECT_NEAR(JJt(a, b), a == b, 1e-12);
          break;
        }
        case ContactClass::coupled:
          ++n_coupled;
          break;
        case ContactClass::rigid:
          ++n_rigid;
          for (const ContactPart* e = relative.begin(m); e != relative.end(m); ++e)
            EXPECT_FALSE(relative.is_smoothed(e->row));
      }
    }
  }
  EXPECT_GT(n_single, 100);
  EXPECT_GT(n_coupled, 100);
  EXPECT_GT(n_rigid, 20);
}

TEST(RelativeCoordinates, TheHeaviestContactTakesItsNode) {
  // Node 0 touches nodes 1 and 2; whichever contact weighs more becomes a single one.
  ContactProblem p = random_problem({.n_node = 3, .n_world_contact = 0, .n_pair_contact = 2});
  p.contacts[0].side_i = p.contacts[1].side_i = 0;
  p.contacts[0].side_j = 1;
  p.contacts[1].side_j = 2;
  for (const int heavy : {0, 1}) {
    std::vector<double> weight{1, 1};
    weight[heavy] = 2;
    const RelativeCoordinates relative(p, weight);
    ASSERT_TRUE(relative.is_slave(0));
    relative.for_masters(0, [&](std::int32_t row, const Mat3d&) { EXPECT_EQ(row, heavy + 1); });
    EXPECT_EQ(relative.n_slave(), 1) << "a slave is nobody's master";
    EXPECT_EQ(relative.contact_class(heavy), ContactClass::coupled) << "its node has two contacts";
  }
}

TEST(Smoothing, LeavesAnExactAnswerAndSolvesSingleContactsExactly) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const ContactProblem p =
        random_problem({.seed = seed, .distinct_nodes = true, .anisotropic = seed % 2 == 0});
    const DenseReference exact = dense_reference(p);
    const RelativeSystem system(p, {});
    std::vector<Vec3d> direction, y = exact.v, lambda = exact.lambda, g;
    system.relative.to_relative(&y);
    Smoothing smoothing(system, Projection::strict, 0, &direction);
    system.gradient(y, &g);
    const std::vector<Vec3d> before = y;
    smoothing.run(&y, &g, &lambda);
    EXPECT_LT((flat(y) - flat(before)).norm(), 1e-9 * flat(before).norm());
    EXPECT_LT((flat(lambda) - flat(exact.lambda)).norm(), 1e-8 * flat(exact.lambda).norm());

    // From anywhere the forces meet the law with the velocities.
    y = random_vectors(p.b.size(), seed);
    system.gradient(y, &g);
    smoothing.run(&y, &g, &lambda);
    for (int m = 0; m < p.n_contact(); ++m) {
      ASSERT_EQ(system.relative.contact_class(m), ContactClass::single);
      const Contact<double>& c = p.contacts[m];
      const double gamma = smoothing.compliance(m);
      const Vec3d force = project(Projection::strict,
                                  lambda[m] - (1 / gamma) * system.velocity(m, y), c.mu1, c.mu2);
      EXPECT_LT(norm(force - lambda[m]), 1e-10 * (1 + norm(lambda[m])));
    }
  }
}

TEST(Smoothing, ByItselfConverges) {
  const ContactProblem p = random_problem({.seed = 4, .distinct_nodes = true});
  const DenseReference exact = dense_reference(p);
  const RelativeSystem system(p, {});
  std::vector<Vec3d> direction, y(p.b.size()), lambda(p.contacts.size()), g;
  Smoothing smoothing(system, Projection::strict, 0, &direction);
  system.gradient(y, &g);
  for (int k = 0; k < 20000; ++k) smoothing.run(&y, &g, &lambda);
  system.relative.to_velocity(&y);
  EXPECT_LT(relative_energy_distance(p, y, exact.v), 1e-6);
  EXPECT_GT(smoothing.lambda_max(), 1);
}

/// A stiff cable would hide what is soft, and where a direction has stayed in one body the others
/// would not be found again.
TEST(Smoothing, KnowsItsLargestEigenvalueWhateverBodyItIsIn) {
  for (unsigned seed = 1; seed <= 6; ++seed)
    for (const double stiffness : {1e-2, 1e2, 1e6}) {
      SCOPED_TRACE(testing::Message() << seed << ", " << stiffness);
      const ContactProblem p = test::lattice_problem(
          {.seed = seed, .blocks = {{4, 4, 3}}, .n_link = 12, .cable_stiffness = stiffness});
      const RelativeSystem system(p, {});
      // First the direction is nowhere, then all in the soft body, then all in the cable.
      std::vector<Vec3d> direction;
      for (int at = 0; at < 3; ++at) {
        const Smoothing smoothing(system, Projection::strict, 0, &direction);
        const int n = system.n_row();
        Eigen::MatrixXd WK(3 * n, 3 * n);
        const Eigen::MatrixXd K(system.K.to_eigen());
        std::vector<Vec3d> column(p.b.size()), product;
        for (int k = 0; k < 3 * n; ++k) {
          for (int i = 0; i < n; ++i) column[i] = {K(3 * i, k), K(3 * i + 1, k), K(3 * i + 2, k)};
          smoothing.apply(column, &product);
          for (int i = 0; i < 3 * n; ++i) WK(i, k) = product[i / 3][i % 3];
        }
        const double exact = WK.eigenvalues().real().maxCoeff();
        EXPECT_LE(smoothing.lambda_max(), 1.0001 * exact);
        EXPECT_GE(smoothing.lambda_max(), (at == 0 ? 0.9 : 0.75) * exact) << at;
        const std::int32_t first_link = p.topology[0]->bodies.back().first_row;
        for (int i = 0; i < n; ++i)
          if ((i < first_link) == (at == 1)) direction[i] = 1e-9 * direction[i];
      }
    }
}

/// Smoothings side by side, from random states.
struct SmoothingBatch {
  struct Environment {
    ContactProblem problem;
    RelativeSystem system;
    std::vector<Vec3d> direction, y, g, lambda;
    Smoothing smoothing;

    explicit Environment(unsigned seed)
        : problem(problem_with_everything(seed)),
          system(problem, some_weights(problem)),
          y(random_vectors(problem.b.size(), seed)),
          lambda(random_vectors(problem.contacts.size(), seed + 1)),
          smoothing(system, seed % 2 == 0 ? Projection::strict : Projection::proximal,
                    seed % 3 == 0 ? 1e-3 : 0, &direction) {
      for (Vec3d& force : lambda) force.x = std::fabs(force.x);
      system.gradient(y, &g);
    }
  };
  std::vector<std::unique_ptr<Environment>> environment;
  std::vector<SmoothingView> view;

  explicit SmoothingBatch(int n) {
    for (int e = 0; e < n; ++e) {
      environment.push_back(std::make_unique<Environment>(static_cast<unsigned>(1 + e % 20)));
      Environment& own = *environment.back();
      view.push_back(own.smoothing.view(&own.y, &own.g, &own.lambda));
    }
  }

  /// Twice.
  template <class Launcher>
  void launch(Launcher&& launcher) {
    int n_row = 0, n_single = 0;
    for (const SmoothingView& v : view) {
      n_row = std::max(n_row, v.K.n_row);
      n_single = std::max(n_single, v.n_single);
    }
    for (int k = 0; k < 2; ++k)
      launch_smoothing(launcher, view.data(), static_cast<int>(view.size()), n_row, n_single);
  }

  void name_regions(RaceDetector* launcher) const {
    for (std::size_t e = 0; e < view.size(); ++e) {
      const Environment& own = *environment[e];
      const auto name = [&](const auto* data, std::size_t n, const char* what) {
        if (n > 0) launcher->name_region(data, n * sizeof(*data), what);
      };
      name(view[e].y, own.y.size(), "y");
      name(view[e].g, own.g.size(), "g");
      name(view[e].lambda, own.lambda.size(), "lambda");
      name(view[e].before, view[e].n_coupled, "before");
      name(view[e].sweep_change, 1, "sweep_change");
    }
  }

  void expect_bits_of_each_alone() const {
    double change = 0;
    for (std::size_t e = 0; e < environment.size(); ++e) {
      Environment alone(static_cast<unsigned>(1 + e % 20));
      for (int k = 0; k < 2; ++k) alone.smoothing.run(&alone.y, &alone.g, &alone.lambda);
      const Environment& own = *environment[e];
      EXPECT_EQ(test::count_different(own.y, alone.y), 0) << "environment " << e;
      EXPECT_EQ(test::count_different(own.g, alone.g), 0) << "environment " << e;
      EXPECT_EQ(test::count_different(own.lambda, alone.lambda), 0) << "environment " << e;
      EXPECT_EQ(own.smoothing.sweep_change(), alone.smoothing.sweep_change());
      change += own.smoothing.sweep_change();
    }
    EXPECT_GT(change, 0);
  }
};

TEST(SmoothingKernels, ABatchHasTheBitsOfEachAloneWithEveryInstructionSet) {
  test::expect_bits_of_each_alone_on_the_cpu<SmoothingBatch>(64);
}

TEST(SmoothingKernels, AreFreeOfRacesAndOfAccessesOutOfBounds) {
  test::expect_bits_of_each_alone_without_races<SmoothingBatch>(20);
}

}  // namespace
}  // namespace nodia
