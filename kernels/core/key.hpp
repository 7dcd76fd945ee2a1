/// A value that a user can set by name: its meaning and its range. A function beside a struct of
/// such values visits them,
///
///   void visit_keys(KeyVisitor& v, PenaltyOptions& o) {
///     v.real({"gain", "factor on all gains [-]"}, o.gain, Range::positive());
///   }
///
/// and defines files, their schema, the command line and the check of ranges. The default is that
/// of the struct.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

/// All words of an enum, in its order.
template <HasWords Enum>
std::vector<std::string> all_words() {
  std::vector<std::string> words;
  for (const Word<Enum>& w : words_of(Enum{})) words.emplace_back(w.word);
  return words;
}

/// @throws InputError `key = text (must be one of ...; did you mean ...?)`
[[noreturn]] void throw_unknown_word(const std::string& key, const std::string& text,
                                     const std::vector<std::string>& known);

/// The value of a word. @throws InputError for any other word
template <HasWords Enum>
Enum parse_word(const std::string& text, const std::string& key) {
  for (const Word<Enum>& w : words_of(Enum{}))
    if (text == w.word) return w.value;
  throw_unknown_word(key, text, all_words<Enum>());
}

/// A name as a word of a dotted key: in quotes if it contains a dot or a quote, and quotes in it
/// are doubled. `q."joint_0.0"` is the member joint_0.0 of q.
std::string key_word(const std::string& name);

struct Key {
  const char* name;
  const char* meaning;  ///< including the unit
  const char* hint = "";
  bool required = false;
};

/// Range of a key's values, which are always finite.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;

  static Range any() { return {}; }
  static Range positive() { return above(0); }
  static Range not_negative() { return between(0, std::numeric_limits<double>::infinity()); }
  static Range above(double low) {
    return {low, std::numeric_limits<double>::infinity(), true, false};
  }
  static Range between(double low, double high) { return {low, high, false, false}; }
  static Range above_to(double low, double high) { return {low, high, true, false}; }
  static Range open(double low, double high) { return {low, high, true, true}; }

  /// False for NaN and for infinities.
  bool contains(double value) const;
  /// Text of the rule: `in (0, 1]`, `>= 0`.
  std::string rule() const;
};

/// Visits the keys of any struct: reads, writes or describes them.
class KeyVisitor {
 public:
  virtual ~KeyVisitor() = default;
  virtual void real(const Key& key, double& value, const Range& range) = 0;
  /// An optional number.
  virtual void optional_real(const Key& key, std::optional<double>& value, const Range& range) = 0;
  virtual void integer(const Key& key, int& value, int low, int high) = 0;
  virtual void boolean(const Key& key, bool& value) = 0;
  virtual void text(const Key& key, std::string& value) = 0;
  /// One of several words.
  virtual void word(const Key& key, std::string& value, const std::vector<std::string>& words) = 0;
  /// Names with commas between them, each one of `known`.
  virtual void names(const Key& key, std::string& value, const std::vector<std::string>& known) = 0;
  /// A group of keys. `visit` shows them to the given visitor.
  virtual void group(const Key& key, const std::function<void(KeyVisitor&)>& visit) = 0;

  /// A value of an enum, as its word.
  template <HasWords Enum>
  void choice(const Key& key, Enum& value) {
    std::string chosen = name_of(value);
    word(key, chosen, all_words<Enum>());
    for (const Word<Enum>& w : words_of(Enum{}))
      if (chosen == w.word) value = w.value;
  }
};

/// Checks the values of visited keys against their ranges.
class KeyCheck final : public KeyVisitor {
 public:
  /// @param path  path of the group, for messages
  explicit KeyCheck(std::string path) : path_(std::move(path)) {}

  /// Each function throws InputError `path.key = value (must be rule; hint)`.
  void real(const Key& key, double& value, const Range& range) override;
  void optional_real(const Key& key, std::optional<double>& value, const Range& range) override {
    if (value) real(key, *value, range);
  }
  void integer(const Key& key, int& value, int low, int high) override;
  void boolean(const Key&, bool&) override {}
  void text(const Key&, std::string&) override {}
  void word(const Key& key, std::string& value, const std::vector<std::string>& words) override;
  void names(const Key& key, std::string& value, const std::vector<std::string>& known) override;
  void group(const Key& key, const std::function<void(KeyVisitor&)>& visit) override;

 private:
  std::string full(const Key& key) const { return path_ + "." + key.name; }

  std::string path_;
};

/// Splits `a, b` into its words, without blanks.
std::vector<std::string> split_names(const std::string& text);

}  // namespace nodia
