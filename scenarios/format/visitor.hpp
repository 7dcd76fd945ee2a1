/// The visitor of the keys of a document: a reader, a writer, a builder of its schema. A group of
/// keys is a struct with a function beside it,
///
///   inline void visit_keys(DocumentVisitor& v, MeshBox& m) {
///     v.vector({"size_m", "edges [m]", "try [0.1, 0.1, 0.1]", true}, m.size_m, Range::positive());
///   }
///
/// If KeyVisitor knows all kinds of its keys, the function of a group takes a KeyVisitor.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/core/key.hpp"
#include "kernels/core/pose.hpp"

namespace nodia {

struct DrawRule;
struct YamlNode;
class DocumentVisitor;

/// Values of a choice by their words.
template <class E>
using Choices = std::vector<std::pair<std::string, E>>;

/// Values of an enum by their words.
template <HasWords E>
Choices<E> choices_of() {
  Choices<E> choices;
  for (const Word<E>& w : words_of(E{})) choices.emplace_back(w.word, w.value);
  return choices;
}

/// Entries whose names another file defines, such as joints: any text is a name.
template <class Entry>
concept HasForeignName = requires {
  Entry::kHasForeignName;
};

struct NamedNumber {
  std::string name;
  double value = 0;
};

/// A list of groups of one type.
class GroupList {
 public:
  virtual ~GroupList() = default;
  virtual bool has_foreign_names() const = 0;
  virtual std::size_t size() const = 0;
  /// Name of the k-th group; empty if groups of this type have no name.
  virtual std::string name(std::size_t k) const = 0;
  /// Appends a group with its defaults.
  virtual void add(const std::string& name) = 0;
  virtual void visit(DocumentVisitor& v, std::size_t k) = 0;
  /// Visits a group with its defaults.
  virtual void visit_default(DocumentVisitor& v) const = 0;
};

/// A group whose type a key names.
class TaggedGroup {
 public:
  virtual ~TaggedGroup() = default;
  virtual std::vector<std::string> names() const = 0;
  /// Index of the present type in names().
  virtual std::size_t chosen() const = 0;
  /// Changes the type; the group has its defaults then.
  virtual void choose(std::size_t k) = 0;
  virtual void visit(DocumentVisitor& v) = 0;
  /// Visits a group of the k-th type with its defaults.
  virtual void visit_default(DocumentVisitor& v, std::size_t k) const = 0;
};

class DocumentVisitor : public KeyVisitor {
 public:
  using KeyVisitor::choice;

  virtual void unsigned_64(const Key& key, std::uint64_t& value) = 0;
  /// A list of texts, none empty; a file may give one without brackets.
  virtual void texts(const Key& key, std::vector<std::string>& value) = 0;
  /// Path of a file; a reader makes it absolute.
  virtual void file(const Key& key, std::string& value) = 0;
  virtual void vector(const Key& key, Vec3d& value, const Range& range) = 0;
  /// A quaternion of unit length within 1e-3; users of the value normalise it.
  virtual void quaternion(const Key& key, Quaternion& value) = 0;
  /// A list of numbers. @param sizes  the lengths that it may have
  virtual void numbers(const Key& key, std::vector<double>& value,
                       const std::vector<std::size_t>& sizes, const Range& range) = 0;
  /// A list of two or more positions.
  virtual void points(const Key& key, std::vector<Vec3d>& value) = 0;
  /// A map of names of any kind to numbers.
  virtual void numbers_by_name(const Key& key, std::vector<NamedNumber>& value) = 0;
  virtual void folders_by_name(const Key& key, std::map<std::string, std::string>& value) = 0;
  virtual void cells(const Key& key, std::array<int, 3>& value, int low, int high) = 0;
  /// A list of one or more values of any kind.
  virtual void values(const Key& key, std::vector<YamlNode>& value) = 0;
  /// A map of dotted keys to how they are drawn: [low, high], `rotation`, or the keys of a
  /// DrawRule.
  virtual void draw_rules(const Key& key, std::vector<DrawRule>& value) = 0;
  /// The group must have exactly one key. @param what  hint of the error
  virtual void exactly_one(const char* what) = 0;

  /// One of several words.
  template <class E>
  void choice(const Key& key, E& value, const Choices<E>& choices) {
    std::string chosen;
    std::vector<std::string> words;
    for (const auto& [name, choice] : choices) {
      words.push_back(name);
      if (choice == value) chosen = name;
    }
    word(key, chosen, words);
    for (const auto& [name, choice] : choices)
      if (chosen == name) value = choice;
  }
  /// A value that may be left out. @param visit  visit(key, value) visits it
  template <class T, class Visit>
  void optional(const Key& key, std::optional<T>& value, const Visit& visit) {
    switch (begin_optional(key, value.has_value())) {
      case OptionalValue::left_out:
        return;
      case OptionalValue::read:
        return visit(key, value.emplace());
      case OptionalValue::present:
        return visit(key, *value);
      case OptionalValue::described:
        T with_default{};
        visit(key, with_default);
        return end_description();
    }
  }
  /// A group that may be left out.
  template <class T>
  void optional_group(const Key& key, std::optional<T>& value) {
    optional(key, value, [&](const Key& k, T& own) { group(k, own); });
  }
  template <class T>
  void group(const Key& key, T& value) {
    visit_group(key, [&](DocumentVisitor& v) { visit_keys(v, value); });
  }
  /// A map of groups that have a name.
  template <class T>
  void named(const Key& key, std::vector<T>& value);
  /// A list of groups.
  template <class T>
  void list(const Key& key, std::vector<T>& value);
  /// A group whose keys follow its tag: the key names the type (its kName).
  template <class... Ts>
  void tagged(const Key& key, std::variant<Ts...>& value);

  void optional_real(const Key& key, std::optional<double>& value, const Range& range) final {
    optional(key, value, [&](const Key& k, double& x) { real(k, x, range); });
  }
  void names(const Key& key, std::string& value, const std::vector<std::string>&) final {
    text(key, value);
  }
  void group(const Key& key, const std::function<void(KeyVisitor&)>& visit) final {
    visit_group(key, [&](DocumentVisitor& v) { visit(v); });
  }

  /// Visits a check without its keys of time: hides_times() is true during `visit`.
  template <class Visit>
  void without_times(const Visit& visit) {
    hides_times_ = true;
    visit();
    hides_times_ = false;
  }
  bool hides_times() const { return hides_times_; }

 protected:
  /// What a visitor does with a value that may be left out.
  enum class OptionalValue : std::uint8_t { left_out, read, present, described };

  virtual OptionalValue begin_optional(const Key& key, bool has_value) = 0;
  virtual void end_description() {}
  /// @param visit  visits the keys of the group
  virtual void visit_group(const Key& key, const std::function<void(DocumentVisitor&)>& visit) = 0;
  virtual void visit_named(const Key& key, GroupList& groups) = 0;
  virtual void visit_list(const Key& key, GroupList& groups) = 0;
  virtual void visit_tagged(const Key& key, TaggedGroup& group) = 0;

 private:
  bool hides_times_ = false;
};

namespace detail {

template <class T>
class GroupListOf final : public GroupList {
 public:
  explicit GroupListOf(std::vector<T>& list) : list_(list) {}

  bool has_foreign_names() const override { return HasForeignName<T>; }
  std::size_t size() const override { return list_.size(); }
  std::string name(std::size_t k) const override {
    if constexpr (requires(T group) { group.name; }) return list_[k].name;
    return "";
  }
  void add(const std::string& name) override {
    T& group = list_.emplace_back();
    if constexpr (requires { group.name; }) group.name = name;
  }
  void visit(DocumentVisitor& v, std::size_t k) override { visit_keys(v, list_[k]); }
  void visit_default(DocumentVisitor& v) const override {
    T group{};
    visit_keys(v, group);
  }

 private:
  std::vector<T>& list_;
};

template <class... Ts>
class TaggedGroupOf final : public TaggedGroup {
 public:
  using Group = std::variant<Ts...>;

  explicit TaggedGroupOf(Group& group) : group_(group) {}

  std::vector<std::string> names() const override { return {Ts::kName...}; }
  std::size_t chosen() const override { return group_.index(); }
  void choose(std::size_t k) override { emplace(group_, k); }
  void visit(DocumentVisitor& v) override {
    std::visit([&](auto& alternative) { visit_keys(v, alternative); }, group_);
  }
  void visit_default(DocumentVisitor& v, std::size_t k) const override {
    Group group;
    emplace(group, k);
    TaggedGroupOf(group).visit(v);
  }

 private:
  static void emplace(Group& group, std::size_t k) {
    constexpr void (*kEmplace[])(Group&) = {[](Group& g) { g.template emplace<Ts>(); }...};
    kEmplace[k](group);
  }

  Group& group_;
};

}  // namespace detail

template <class T>
void DocumentVisitor::named(const Key& key, std::vector<T>& value) {
  detail::GroupListOf<T> groups(value);
  visit_named(key, groups);
}

template <class T>
void DocumentVisitor::list(const Key& key, std::vector<T>& value) {
  detail::GroupListOf<T> groups(value);
  visit_list(key, groups);
}

template <class... Ts>
void DocumentVisitor::tagged(const Key& key, std::variant<Ts...>& value) {
  detail::TaggedGroupOf<Ts...> group(value);
  visit_tagged(key, group);
}

}  // namespace nodia
