/// f.K^-1 f of a system's own matrix, without the contacts' terms.
#pragma once

#include "host/solvers/elimination/chain_solve.hpp"
#include "host/solvers/newton/relative_system.hpp"

namespace nodia {

class InverseEnergy {
 public:
  /// @param chains  keeps the factor; may hold the plan of an earlier one
  InverseEnergy(const RelativeSystem& system, ChainSolve* chains)
      : system_(system), chains_(chains) {}

  /// Exact where there are chains to be eliminated; elsewhere from below, by conjugate gradients
  /// preconditioned with K's diagonal blocks, to the step that adds less than 2 %.
  /// @param products  at most
  double squared(const std::vector<Vec3d>& f, int products);
  /// Of factorisations and solves; products are the system's.
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
