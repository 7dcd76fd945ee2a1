/// Set-up of the block tridiagonal blocks of W on chains (kernels/vfpi/w/chains.hpp).
#pragma once

#include "host/solvers/cond/nodalization.hpp"
#include "host/solvers/cond/row_layout.hpp"

namespace nodia {

/// Fills the chains' parts of `ranges`, and the lists' sizes.
void prepare_chains(const ContactProblem& problem, LoopRanges* ranges, Chains<HostMemory>* chains);

/// Fills environment e's lists and matrices. Environments may be filled at the same time.
void fill_chains(const ContactProblem& problem, const RowLayout& rows, const Nodalization& nodes,
                 int e, const LoopRange& range, Chains<HostMemory>* chains);

}  // namespace nodia
