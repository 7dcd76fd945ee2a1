/// Words for the values of an enum, defined once beside it:
///
///   enum class Backend { cpu, cuda };
///   constexpr auto words_of(Backend) {
///     return std::array{Word{Backend::cpu, "cpu"}, Word{Backend::cuda, "cuda"}};
///   }
///
/// They define the names in messages and results, the words in files and on the command line, help
/// and schema (kernels/core/key.hpp).
#pragma once

#include <array>

namespace nodia {

template <class Enum>
struct Word {
  Enum value;
  const char* word;
};
template <class Enum>
Word(Enum, const char*) -> Word<Enum>;  // clang before 17 does not deduce it

template <class Enum>
concept HasWords = requires(Enum e) {
  words_of(e);
};

template <HasWords Enum>
constexpr const char* name_of(Enum value) {
  for (const Word<Enum>& w : words_of(Enum{}))
    if (w.value == value) return w.word;
  return "unknown";
}

}  // namespace nodia
