/// How solvers factorise A.
#pragma once

#include <array>

#include "kernels/core/key.hpp"

namespace nodia {

enum class Factoriser { simplicial, cholmod };
constexpr auto words_of(Factoriser) {
  return std::array{Word{Factoriser::simplicial, "simplicial"},
                    Word{Factoriser::cholmod, "cholmod"}};
}

struct FactorOptions {
  Factoriser factoriser = Factoriser::simplicial;
  bool sparse_rhs = false;  ///< Delassus right-hand sides: dense as in the paper, or sparse
};
void visit_keys(KeyVisitor& v, FactorOptions& o);

/// Whether this build has it.
bool is_available(Factoriser factoriser);
/// Throws InputError where it has not.
void require_available(Factoriser factoriser);
/// Of those that this build has.
Factoriser fastest_factoriser();

}  // namespace nodia
