/// Computes f.K^-1 f with a system's own matrix, without the contact terms.
#pragma once

#include "host/solvers/elimination/chain_solve.hpp"
#include "host/solvers/newton/relative_system.hpp"

namespace nodia {

class InverseEnergy {
 public:
  /// @param chains  stores the factor; may have the plan of an earlier one
  InverseEnergy(const RelativeSystem& system, ChainSolve* chains)
      : system_(system), chains_(chains) {}

  /// Exact if there are chains to eliminate; otherwise from below, by conjugate gradients
  /// preconditioned with K's diagonal blocks, until a step adds less than 2 %.
  /// @param products  maximum number of products
  double squared(const std::vector<Vec3d>& f, int products);
  /// Multiply-adds of factorisations and solves; the system counts products.
  double multiply_adds() const { return multiply_adds_; }

 private:
  enum class Way : std::uint8_t { unknown, elimination, iteration };

  void choose_way();
  double iterate(const std::vector<Vec3d>& f, int products) const;

  const RelativeSystem& system_;
  ChainSolve* chains_;
  Way way_ = Way::unknown;
  std::vector<Vec3d> x_;
  double multiply_adds_ = 0;
};

}  // namespace nodia
