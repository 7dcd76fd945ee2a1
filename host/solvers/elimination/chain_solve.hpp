/// Solves with a matrix of chains and a border by block elimination, in time linear in the links.
#pragma once

#include <memory>

#include "fem/matrix/block_matrix.hpp"
#include "host/solvers/elimination/chain_arrays.hpp"
#include "kernels/cpu/isa.hpp"

namespace nodia {

class ChainSolve {
 public:
  ChainSolve() = default;
  ChainSolve(ChainSolve&&) = default;
  ChainSolve& operator=(ChainSolve&&) = default;

  /// Plans the elimination, unless it already has this pattern and these bodies.
  /// @param bodies  bodies of one environment, with the rows of the pattern
  /// @return false if elimination is not suitable, see make_chain_plan()
  bool set_pattern(const std::shared_ptr<const BlockPattern>& pattern,
                   const std::vector<Body>& bodies);
  /// Arrays for an elimination of K, for launches; valid until the next pattern.
  ChainSystem system(const BlockMatrix& K) const { return arrays_.system(K); }
  /// @param K  has the set pattern. @return false if K is not positive definite
  bool factorise(const BlockMatrix& K);
  FactorWork work() const { return arrays_.work(); }
  /// x = K^-1 f
  void solve(const std::vector<Vec3d>& f, std::vector<Vec3d>* x);

 private:
  CpuIsa isa_ = chosen_isa();
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<Body> bodies_;
  bool is_way_ = false;
  ChainArrays arrays_;
};

}  // namespace nodia
