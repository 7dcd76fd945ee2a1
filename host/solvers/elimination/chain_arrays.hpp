/// The lists of an elimination, and storage for its factor.
#pragma once

#include <vector>

#include "fem/matrix/block_matrix.hpp"
#include "host/solvers/elimination/chain_plan.hpp"
#include "host/solvers/linear/factor_work.hpp"

namespace nodia {

class ChainArrays {
 public:
  ChainArrays() = default;
  explicit ChainArrays(ChainPlan plan);
  ChainArrays(ChainArrays&&) = default;
  ChainArrays& operator=(ChainArrays&&) = default;

  int n_segment() const { return system_.n_segment; }
  /// Arrays for launches, valid as long as this object. @param K  has the plan's pattern
  ChainSystem system(const BlockMatrix& K) const;
  /// Arrays for solves; requires a factor.
  const ChainSystem& system() const { return system_; }
  /// True if the last elimination found a positive definite matrix.
  bool is_definite() const { return definite_.back() != 0; }
  FactorWork work() const;

 private:
  ChainPlan plan_;
  ChainSystem system_;  ///< points into the vectors
  std::vector<LinkBlock> inverse_, factor_;
  std::vector<LinkColumns> run_value_;
  std::vector<LinkVector> work_;
  std::vector<double> schur_, border_work_;
  std::vector<std::int32_t> definite_;
};

}  // namespace nodia
