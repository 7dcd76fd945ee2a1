#include "host/solvers/linear/options.hpp"

namespace nodia {

void visit_keys(KeyVisitor& v, FactorOptions& o) {
  v.choice({"factoriser", "Cholesky factor of A, for solvers on the Delassus operator"},
           o.factoriser);
  v.boolean({"sparse_rhs",
             "sparse right-hand sides of the Delassus operator, dense as in the paper otherwise"},
            o.sparse_rhs);
}

void require_available([[maybe_unused]] Factoriser factoriser) {
#if !defined(NODIA_WITH_CHOLMOD)
  if (factoriser == Factoriser::cholmod)
    throw_bad_value("solver.factoriser", name_of(factoriser), "simplicial in this build",
                    "install SuiteSparse (libsuitesparse-dev) and configure again");
#endif
}

}  // namespace nodia
