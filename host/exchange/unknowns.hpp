/// Assigns the unknowns of a problem from outside to rows of a ContactProblem.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <vector>

#include "host/problem/topology.hpp"

namespace nodia {

/// Row and axis of each unknown of M, and the rows of the bodies.
///
/// Unknowns that M couples, directly or indirectly, are one body. Consecutive bodies of less than
/// six unknowns (three in a plane) form one, so that six numbers on a diagonal are a rigid body. A
/// body has rows of its own, with padding in the last one. Bodies of more rows than kMaxBodyRows
/// are ordered by Cuthill and McKee and cut: each piece is a dense preconditioner block, and any
/// cut is valid. The file does not say what the unknowns are, so rows are joints and bodies are
/// robots.
struct Unknowns {
  static constexpr int kMaxBodyRows = 64;

  std::vector<std::int32_t> place;  ///< [n_dof] index 3 row + axis
  std::vector<Body> bodies;         ///< bodies of all rows
  int n_row = 0;

  static Unknowns of(const Eigen::SparseMatrix<double>& M, int dimension);
};

}  // namespace nodia
