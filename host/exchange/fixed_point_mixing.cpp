#include "host/exchange/fixed_point_mixing.hpp"

#include <Eigen/QR>

namespace nodia {
namespace {

/// Singular directions below this share of the largest are ignored.
constexpr double kMixingRankTolerance = 1e-8;

}  // namespace

Eigen::VectorXd FixedPointMixing::next(const Eigen::VectorXd& x, const Eigen::VectorXd& g) {
  const Eigen::VectorXd f = g - x;
  if (f_.size() == f.size()) {
    dg_.push_back(g - g_);
    df_.push_back(f - f_);
    if (dg_.size() > kDepth) {
      dg_.pop_front();
      df_.pop_front();
    }
  }
  g_ = g;
  f_ = f;
  Eigen::VectorXd mixed = g;
  if (df_.empty()) return mixed;
  Eigen::MatrixXd F(f.size(), static_cast<Eigen::Index>(df_.size()));
  for (Eigen::Index k = 0; k < F.cols(); ++k) F.col(k) = df_[static_cast<std::size_t>(k)];
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
  decomposition.setThreshold(kMixingRankTolerance);
  const Eigen::VectorXd share = decomposition.compute(F).solve(f);
  for (Eigen::Index k = 0; k < share.size(); ++k)
    mixed -= share[k] * dg_[static_cast<std::size_t>(k)];
  return mixed.allFinite() ? mixed : g;
}

}  // namespace nodia
