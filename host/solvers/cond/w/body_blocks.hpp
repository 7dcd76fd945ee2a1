/// Set-up of the dense blocks of W on bodies (kernels/vfpi/w/body_blocks.hpp).
#pragma once

#include "host/solvers/cond/nodalization.hpp"
#include "host/solvers/cond/row_layout.hpp"

namespace nodia {

/// Fills the bodies' parts of `ranges`, and the lists' sizes.
void prepare_body_blocks(const ContactProblem& problem, LoopRanges* ranges,
                         BodyBlocks<HostMemory>* blocks);

/// Fills environment e's lists and matrices. Environments may be filled at the same time.
void fill_body_blocks(const ContactProblem& problem, const RowLayout& rows,
                      const Nodalization& nodes, int e, const LoopRange& range,
                      BodyBlocks<HostMemory>* blocks);

}  // namespace nodia
