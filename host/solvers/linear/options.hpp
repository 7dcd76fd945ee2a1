/// Options for the factorisation of A.
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

/// True if this build has the factoriser.
bool is_available(Factoriser factoriser);
/// Throws InputError if it is missing.
void require_available(Factoriser factoriser);
/// Fastest factoriser of this build.
Factoriser fastest_factoriser();

}  // namespace nodia
