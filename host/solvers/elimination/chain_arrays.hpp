/// The lists of an elimination, and room for its factor.
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
  /// For launches, valid as long as this lives.
  /// @param K  of the plan's pattern
  ChainSystem system(const BlockMatrix& K) const;
  /// The same for solves, once there is a factor.
  const ChainSystem& system() const { return system_; }
  /// Whether the last elimination found a positive definite matrix.
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
