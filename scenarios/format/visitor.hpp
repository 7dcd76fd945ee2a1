/// Visitors of the keys of a file: Reader, Writer, SchemaBuilder, FileKeys. A group of keys is a
/// struct with a function template visit_keys():
///
///   template <class V>
///   void visit_keys(V& v, MeshBox& m) {
///     v.vector({"size_m", "edges [m]", "try [0.1, 0.1, 0.1]", true}, m.size_m, Range::positive());
///   }
///
/// A visitor has a member function for every kind of value.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/key.hpp"

namespace nodia {

/// Words of a choice and their values.
template <class E>
using Choices = std::vector<std::pair<std::string, E>>;

/// Words of an enum and their values.
template <HasWords E>
Choices<E> choices_of() {
  Choices<E> choices;
  for (const Word<E>& w : words_of(E{})) choices.emplace_back(w.word, w.value);
  return choices;
}

/// Entries whose names come from another file, such as joints. Any text may be a name.
template <class Entry>
concept HasForeignName = requires {
  Entry::kHasForeignName;
};

struct NamedNumber {
  std::string name;
  double value = 0;
};

/// Visits an optional group of keys.
template <class V, class T>
void visit_optional_group(V& v, const Key& key, std::optional<T>& value) {
  v.optional(key, value, [&](const Key& k, T& group) { v.group(k, group); });
}

/// Adapts a visitor of this file to a KeyVisitor.
template <class V>
class VisitorOf final : public KeyVisitor {
 public:
  explicit VisitorOf(V& v) : v_(v) {}

  void real(const Key& key, double& value, const Range& range) override {
    v_.real(key, value, range);
  }
  void optional_real(const Key& key, std::optional<double>& value, const Range& range) override {
    v_.optional(key, value, [&](const Key& k, double& x) { v_.real(k, x, range); });
  }
  void integer(const Key& key, int& value, int low, int high) override {
    v_.integer(key, value, low, high);
  }
  void boolean(const Key& key, bool& value) override { v_.boolean(key, value); }
  void text(const Key& key, std::string& value) override { v_.text(key, value); }
  void word(const Key& key, std::string& value, const std::vector<std::string>& words) override {
    Choices<std::string> choices;
    for (const std::string& word : words) choices.emplace_back(word, word);
    v_.choice(key, value, choices);
  }
  void names(const Key& key, std::string& value, const std::vector<std::string>&) override {
    v_.text(key, value);
  }
  void group(const Key& key, const std::function<void(KeyVisitor&)>& visit) override;

 private:
  V& v_;
};

/// A group of keys that is declared for a KeyVisitor.
struct ShownGroup {
  const std::function<void(KeyVisitor&)>& visit;
};

template <class V>
void visit_keys(V& v, ShownGroup& group) {
  VisitorOf<V> visitor(v);
  group.visit(visitor);
}

template <class V>
void VisitorOf<V>::group(const Key& key, const std::function<void(KeyVisitor&)>& visit) {
  ShownGroup members{visit};
  v_.group(key, members);
}

/// Visits a group that is declared for a KeyVisitor, such as the options of solvers.
template <class V, class T>
void visit_declared(V& v, T& value) {
  VisitorOf<V> visitor(v);
  visit_keys(static_cast<KeyVisitor&>(visitor), value);
}

}  // namespace nodia
