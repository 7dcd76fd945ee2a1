/// The pattern of a coarse matrix P^T K P, and which blocks of K each of its blocks sums.
#pragma once

#include <memory>
#include <vector>

#include "fem/matrix/block_matrix.hpp"
#include "host/solvers/multigrid/aggregates.hpp"
#include "kernels/multigrid/multigrid_level.hpp"

namespace nodia {

struct Coarsening {
  std::shared_ptr<const BlockPattern> pattern;  ///< of the coarse matrix
  std::vector<CoarseBlock> block;  ///< on and above the diagonal, and one more, the end
  std::vector<CoarseTerm> term;
};

/// @param fine    symmetric
/// @param level   the rows of `fine` and their aggregates
Coarsening make_coarsening(const BlockPattern& fine, const AggregateLevel& level);

}  // namespace nodia
