/// All values of an enum, from the table of its words: tests that take them need no change when one
/// is added.
#pragma once

#include <vector>

#include "kernels/core/words.hpp"

namespace nodia::test {

template <HasWords Enum>
std::vector<Enum> all_values() {
  std::vector<Enum> values;
  for (const Word<Enum>& w : words_of(Enum{})) values.push_back(w.value);
  return values;
}

}  // namespace nodia::test
