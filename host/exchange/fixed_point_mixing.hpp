/// Anderson mixing of a fixed-point iteration x <- g(x).
#pragma once

#include <Eigen/Core>
#include <deque>

namespace nodia {

/// The next x combines the last values of g so that their differences g(x) - x, as linear functions
/// of x, have the smallest norm (Walker and Ni 2011). Without a history it is g(x).
class FixedPointMixing {
 public:
  static constexpr std::size_t kDepth = 12;

  /// @param x, g  last point and the function's value there
  /// @return      next point
  Eigen::VectorXd next(const Eigen::VectorXd& x, const Eigen::VectorXd& g);

 private:
  std::deque<Eigen::VectorXd> dg_, df_;  ///< differences of successive g and g - x
  Eigen::VectorXd g_, f_;
};

}  // namespace nodia
