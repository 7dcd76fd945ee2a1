/// The sparsity pattern for which a factoriser holds a symbolic analysis.
#pragma once

#include <Eigen/SparseCore>
#include <algorithm>
#include <vector>

namespace nodia {

class AnalysedPattern {
 public:
  /// Returns true if the analysed pattern is that of A. Otherwise stores the pattern of A.
  bool holds(const Eigen::SparseMatrix<double>& A) {
    const auto n = static_cast<std::size_t>(A.cols()),
               n_entry = static_cast<std::size_t>(A.nonZeros());
    const bool same = begin_.size() == n + 1 && row_.size() == n_entry &&
                      std::equal(begin_.begin(), begin_.end(), A.outerIndexPtr()) &&
                      std::equal(row_.begin(), row_.end(), A.innerIndexPtr());
    if (same) return true;
    begin_.assign(A.outerIndexPtr(), A.outerIndexPtr() + n + 1);
    row_.assign(A.innerIndexPtr(), A.innerIndexPtr() + n_entry);
    return false;
  }
  void forget() { begin_.clear(); }

 private:
  std::vector<int> begin_, row_;
};

}  // namespace nodia
