/// Takes the place of cholmod_cholesky.cpp in a build without CHOLMOD.
#include "host/solvers/linear/cholmod_cholesky.hpp"

namespace nodia {

bool has_cholmod() {
  return false;
}

std::unique_ptr<SparseCholesky> make_cholmod_cholesky() {
  return nullptr;
}

}  // namespace nodia
