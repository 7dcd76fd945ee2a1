#include "host/solvers/position_based/options.hpp"

namespace nodia {

void visit_keys(KeyVisitor& v, PositionBasedOptions& o) {
  v.integer({"substeps", "substeps of a step"}, o.substeps, 1, 1'000'000);
  v.integer({"iterations", "sweeps through all constraints in a substep"}, o.iterations, 1,
            1'000'000);
}

}  // namespace nodia
