/// The unknowns of a problem from outside in the three-rows of a ContactProblem.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <vector>

#include "host/problem/topology.hpp"

namespace nodia {

/// Where each unknown of M goes, and the rows that make up a body.
///
/// Unknowns that M couples, directly or not, are one body; consecutive bodies of less than six
/// unknowns (three in a plane) count as one, so that six numbers on a diagonal are a rigid body. A
/// body fills rows of its own, the last one padded. Bodies of more rows than kMaxBodyRows are
/// ordered by Cuthill and McKee and cut: each piece is a dense block of a preconditioner, and any
/// cut is a right one. Nothing says what the unknowns are: rows are joints, bodies robots.
struct Unknowns {
  static constexpr int kMaxBodyRows = 64;

  std::vector<std::int32_t> place;  ///< [n_dof] 3 row + axis
  std::vector<Body> bodies;         ///< of all rows
  int n_row = 0;

  static Unknowns of(const Eigen::SparseMatrix<double>& M, int dimension);
};

}  // namespace nodia
