#include "host/solvers/complementarity/lcp.hpp"

#include <gtest/gtest.h>

#include "kernels/core/error.hpp"
#include "tests/support/lcps.hpp"

namespace nodia {
namespace {

Lcp scalar(double M, double q) {
  Lcp lcp;
  lcp.M = Eigen::MatrixXd::Constant(1, 1, M);
  lcp.q = Eigen::VectorXd::Constant(1, q);
  return lcp;
}

Eigen::VectorXd one_entry(double z) {
  return Eigen::VectorXd::Constant(1, z);
}

TEST(LcpError, IsZeroAtSolutionsAndNowhereElse) {
  EXPECT_EQ(lcp_error(scalar(2, -1), one_entry(0.5)), 0);
  EXPECT_EQ(lcp_error(scalar(2, 1), one_entry(0)), 0);
  EXPECT_GT(lcp_error(scalar(2, -1), one_entry(0)), 0.1);    // w < 0
  EXPECT_GT(lcp_error(scalar(2, -1), one_entry(1)), 0.1);    // z w > 0
  EXPECT_GT(lcp_error(scalar(2, 1), one_entry(-0.5)), 0.1);  // z < 0
  EXPECT_TRUE(std::isnan(lcp_error(scalar(2, std::nan("")), one_entry(0))));
}

TEST(LcpError, DoesNotDependOnUnits) {
  const Lcp lcp = test::random_lcp(test::LcpKind::p_matrix, 8, 1);
  Eigen::VectorXd z(8), row(8), column(8);
  for (int i = 0; i < 8; ++i) {
    z[i] = 0.3 * i;
    row[i] = std::pow(10.0, i - 4);
    column[i] = std::pow(10.0, 3 - i);
  }
  Lcp scaled{row.asDiagonal() * lcp.M * column.asDiagonal(), row.cwiseProduct(lcp.q)};
  EXPECT_NEAR(lcp_error(scaled, z.cwiseQuotient(column)), lcp_error(lcp, z), 1e-14);
}

TEST(Equilibrate, MakesRowsAndColumnsComparable) {
  const Lcp lcp = test::random_lcp(test::LcpKind::semidefinite, 20, 2, 12);
  const ScaledLcp s = equilibrate(lcp);
  EXPECT_GT(s.row.minCoeff(), 0);
  EXPECT_GT(s.column.minCoeff(), 0);
  EXPECT_NEAR(s.lcp.q.cwiseAbs().maxCoeff(), 1, 1e-14);
  for (int i = 0; i < 20; ++i) {
    EXPECT_NEAR(s.lcp.M.row(i).cwiseAbs().maxCoeff(), 1, 0.1);
    EXPECT_NEAR(s.lcp.M.col(i).cwiseAbs().maxCoeff(), 1, 0.1);
  }
}

// Painleve's rod, benchmarks: mu = 0.5 unique; mu = 2 none with gravity down, two with gravity up.
TEST(AllSolutions, TellWhatTheoryKnowsOfPainlevesRod) {
  const auto count = [](double mu, double b) {
    return std::string(count_in_words(all_solutions(test::painleve_lcp(mu, b)).size()));
  };
  EXPECT_NEAR(test::painleve_lcp(0.5, -9.81).M(0, 0), 1.1005, 5e-5);
  EXPECT_NEAR(test::painleve_lcp(2, -9.81).M(0, 0), -0.84808, 5e-6);
  EXPECT_NEAR(test::painleve_lcp(1.34715, 0).M(0, 0), 0, 1e-5);
  EXPECT_EQ(count(0.5, -9.81), "unique");
  EXPECT_EQ(count(0.5, 9.81), "unique");
  EXPECT_EQ(count(2, -9.81), "none");
  EXPECT_EQ(count(2, 9.81), "two");
  EXPECT_EQ(count(1.3, -9.81), "unique");
  EXPECT_EQ(count(1.4, -9.81), "none");
  const auto two = all_solutions(test::painleve_lcp(2, 9.81));
  EXPECT_EQ(two[0][0], 0);
  EXPECT_NEAR(two[1][0], 11.567, 5e-4);
}

TEST(AllSolutions, RefuseWhatTheyCannotEnumerate) {
  EXPECT_THROW(all_solutions(test::random_lcp(test::LcpKind::p_matrix, 17, 1)), InputError);
  EXPECT_EQ(all_solutions(Lcp{Eigen::MatrixXd(0, 0), Eigen::VectorXd(0)}).size(), 1u);
}

TEST(Lcp, SizesMustFit) {
  EXPECT_THROW((Lcp{Eigen::MatrixXd::Zero(2, 3), Eigen::VectorXd::Zero(2)}.validate()), InputError);
  EXPECT_THROW((Lcp{Eigen::MatrixXd::Zero(2, 2), Eigen::VectorXd::Zero(3)}.validate()), InputError);
}

}  // namespace
}  // namespace nodia
