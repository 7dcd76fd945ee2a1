/// Pattern of a coarse matrix P^T K P, and the blocks of K that each of its blocks sums.
#pragma once

#include <memory>
#include <vector>

#include "fem/matrix/block_matrix.hpp"
#include "host/solvers/multigrid/aggregates.hpp"
#include "kernels/multigrid/multigrid_level.hpp"

namespace nodia {

struct Coarsening {
  std::shared_ptr<const BlockPattern> pattern;  ///< pattern of the coarse matrix
  std::vector<CoarseBlock> block;  ///< on and above the diagonal; one more marks the end
  std::vector<CoarseTerm> term;
};

/// @param fine    symmetric
/// @param level   the rows of `fine` and their aggregates
Coarsening make_coarsening(const BlockPattern& fine, const AggregateLevel& level);

}  // namespace nodia
