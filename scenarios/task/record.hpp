/// The group `record` of a task: data that a dataset stores of an episode in addition to actions,
/// observations and quality.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/words.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

enum class Recorded : std::uint8_t {
  state,    ///< positions and velocities of all bodies, without loss of precision
  wrench,   ///< force and torque of every sensor
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
  std::vector<std::string> what{"wrench", "contacts"};  ///< words of Recorded, without repetition
  int every = 1;                                        ///< control steps between records, >= 1
  RecordCompression compression = RecordCompression::gzip;

  bool has(Recorded one) const;
};

inline void visit_keys(DocumentVisitor& v, RecordDescription& r) {
  v.texts({"what", "beside observations: state, wrench, contacts", "e.g. [wrench, contacts]"},
          r.what);
  v.integer({"every", "so many control steps", "try 1"}, r.every, 1, 1'000'000);
  v.choice({"compression", "of a dataset's files: gzip or none"}, r.compression,
           choices_of<RecordCompression>());
}

/// @throws ValueError for an unknown or repeated word in `what`
void validate(const RecordDescription& record, const std::string& path);

}  // namespace nodia
