/// W of the loop and its spectral estimate, against dense matrices.
#include <gtest/gtest.h>

#include <Eigen/Core>

#include "host/solvers/cond/cpu_loop.hpp"
#include "host/solvers/solver_options.hpp"
#include "tests/support/dense_algebra.hpp"
#include "tests/support/dense_reference.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/take_solution.hpp"

namespace nodia {
namespace {

template <class Precision>
class StepSize : public testing::Test {
 protected:
  /// The unguarded W per node and the estimate of lambda_max(W A), after `n_solve` solves of one
  /// iteration, each of which goes on with the power iteration.
  void run(const ContactProblem& p, WKind kind, int n_solve) {
    SolverOptions options;
    options.solver = "cond";
    options.of<CondOptions>().w = kind;
    options.max_iterations = 1;
    LoopProblem<Precision> problem(options, options.of<CondOptions>());
    std::vector<VfpiTimes> times;
    const WarmStart cold;
    Solution solution;
    for (int k = 0; k < n_solve; ++k) {
      problem.set(p, cold);
      run_cpu_loop(&problem, 1, &times);
      test::take_solution(&problem, &solution);
    }
    w_.resize(p.n_node());
    for (int i = 0; i < p.n_node(); ++i)
      w_[i] = problem.arrays().w_unguarded[problem.rows().local_row(i)];
    const VfpiControl& control = problem.arrays().control[0];
    lambda_max_ = control.lambda_max / control.w_scale;
  }

  /// Rounding of the matrix that W is computed from.
  static constexpr double kRounding =
      std::is_same_v<typename Precision::Real, float> ? 1e-5 : 1e-12;
  std::vector<double> w_;
  double lambda_max_ = 0;
};

using Precisions = testing::Types<DoublePrecision, MixedPrecision, FloatPrecision>;
TYPED_TEST_SUITE(StepSize, Precisions);

TYPED_TEST(StepSize, FrobeniusMinimisesTheNorm) {
  // f(w) = |I - W A|_F^2 is least at w_i: a change of any w raises it.
  const ContactProblem p = random_problem({.seed = 1});
  this->run(p, WKind::frobenius, 1);
  const Eigen::MatrixXd A = dense_reference_detail::dense_matrix(p);
  const auto distance = [&](const std::vector<double>& values) {
    Eigen::VectorXd d(A.rows());
    for (int i = 0; i < A.rows(); ++i) d[i] = values[i / 3];
    return (Eigen::MatrixXd::Identity(A.rows(), A.cols()) - d.asDiagonal() * A).squaredNorm();
  };
  const double least = distance(this->w_);
  for (int i = 0; i < p.n_node(); ++i)
    for (const double factor : {0.99, 1.01}) {
      std::vector<double> other = this->w_;
      other[i] *= factor;
      EXPECT_GT(distance(other), least);
    }
}

TYPED_TEST(StepSize, InfNormNeedsNoEstimateAndPowerIterationFindsTheSpectrum) {
  const ContactProblem p = random_problem({.seed = 1, .n_node = 40});
  for (const WKind kind : {WKind::frobenius, WKind::inf_norm, WKind::bb1, WKind::alpha_identity}) {
    this->run(p, kind, 70);
    Eigen::VectorXd root(3 * p.n_node());
    for (int i = 0; i < root.size(); ++i) root[i] = std::sqrt(this->w_[i / 3]);
    const Eigen::MatrixXd scaled =
        root.asDiagonal() * dense_reference_detail::dense_matrix(p) * root.asDiagonal();
    const double exact = test::eigenvalues(scaled).maxCoeff();
    if (kind == WKind::inf_norm) {
      EXPECT_LE(exact, 1 + this->kRounding);
    }
    EXPECT_LE(this->lambda_max_, exact * (1 + this->kRounding));
    EXPECT_GT(this->lambda_max_, 0.99 * exact);
  }
}

}  // namespace
}  // namespace nodia
