/// The supernodal Cholesky factorisation of SuiteSparse, if the build found it.
#pragma once

#include <memory>

#include "host/solvers/linear/sparse_cholesky.hpp"

namespace nodia {

/// True if this build has CHOLMOD.
bool has_cholmod();

/// @return null if this build lacks CHOLMOD
std::unique_ptr<SparseCholesky> make_cholmod_cholesky();

}  // namespace nodia
