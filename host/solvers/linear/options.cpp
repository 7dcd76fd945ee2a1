#include "host/solvers/linear/options.hpp"

#include "host/solvers/linear/cholmod_cholesky.hpp"

namespace nodia {

void visit_keys(KeyVisitor& v, FactorOptions& o) {
  v.choice({"factoriser", "Cholesky factor of A, for solvers on the Delassus operator"},
           o.factoriser);
  v.boolean({"sparse_rhs",
             "sparse right-hand sides of the Delassus operator, dense as in the paper otherwise"},
            o.sparse_rhs);
}

bool is_available(Factoriser factoriser) {
  return factoriser != Factoriser::cholmod || has_cholmod();
}

void require_available(Factoriser factoriser) {
  if (!is_available(factoriser))
    throw_bad_value("solver.factoriser", name_of(factoriser), "simplicial in this build",
                    "install SuiteSparse (libsuitesparse-dev) and configure again");
}

Factoriser fastest_factoriser() {
  return is_available(Factoriser::cholmod) ? Factoriser::cholmod : Factoriser::simplicial;
}

}  // namespace nodia
