/// What a dataset keeps of an episode beside actions, observations and their quality: the block
/// `record` of a task.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/words.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

enum class Recorded : std::uint8_t {
  state,    ///< exact positions and velocities of everything
  wrench,   ///< of every sensor
  contacts  ///< every contact with its force
};
constexpr auto words_of(Recorded) {
  return std::array{Word{Recorded::state, "state"}, Word{Recorded::wrench, "wrench"},
                    Word{Recorded::contacts, "contacts"}};
}

enum class RecordCompression : std::uint8_t { none, gzip };
constexpr auto words_of(RecordCompression) {
  return std::array{Word{RecordCompression::none, "none"}, Word{RecordCompression::gzip, "gzip"}};
}

struct RecordDescription {
  std::vector<std::string> what{"wrench", "contacts"};  ///< words of Recorded, each once
  int every = 1;                                        ///< control steps, >= 1
  RecordCompression compression = RecordCompression::gzip;

  bool has(Recorded one) const;
};

template <class V>
void visit_keys(V& v, RecordDescription& r) {
  v.texts({"what", "beside observations: state, wrench, contacts", "e.g. [wrench, contacts]"},
          r.what);
  v.integer({"every", "so many control steps", "try 1"}, r.every, 1, 1'000'000);
  v.choice({"compression", "of a dataset's files: gzip or none"}, r.compression,
           choices_of<RecordCompression>());
}

/// @throws ValueError for a word that is none, or twice
void validate(const RecordDescription& record, const std::string& path);

}  // namespace nodia
