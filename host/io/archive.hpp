/// Archive of values: writes them as bytes by name, and reads them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "host/base/members.hpp"

namespace nodia {

using ArchivedBytes = std::map<std::string, std::string>;

class Archive;

template <class Value>
concept ArchivesItself = requires(Value& value, Archive& a) {
  value.archive(a);
};
/// Value whose bytes are copied.
template <class Value>
concept PlainValue =
    !ArchivesItself<Value> && std::is_trivially_copyable_v<Value> &&
    (std::is_arithmetic_v<Value> || std::is_enum_v<Value> || std::is_aggregate_v<Value>);
/// Struct whose members are archived one by one.
template <class Value>
concept ArchivedByMembers =
    !ArchivesItself<Value> && !std::is_trivially_copyable_v<Value> && std::is_aggregate_v<Value>;

/// Writes or reads values. A class lists once, in `void archive(Archive& a)`, which of its members
/// are written and read: `a("sum", sum_)`. The members of an aggregate need no list.
class Archive {
 public:
  static Archive writing(ArchivedBytes* to) { return {to, nullptr}; }
  static Archive reading(const ArchivedBytes& from) { return {nullptr, &from}; }
  bool reads() const { return from_ != nullptr; }

  /// Writes or reads plain values, texts, lists, maps, pairs, optionals, aggregates of these, and
  /// classes with archive().
  /// @throws InputError if a value to read is missing or has another size
  template <class Value>
  void operator()(const std::string& name, Value& value) {
    const std::size_t n_outer = prefix_.size();
    prefix_ += '/';
    prefix_ += name;
    one(value);
    prefix_.resize(n_outer);
  }

 private:
  Archive(ArchivedBytes* to, const ArchivedBytes* from) : to_(to), from_(from) {}

  template <ArchivesItself Value>
  void one(Value& value) {
    value.archive(*this);
  }
  template <PlainValue Value>
  void one(Value& value) {
    bytes(&value, sizeof(Value));
  }
  template <ArchivedByMembers Value>
  void one(Value& value) {
    std::apply(
        [&](auto&... member) {
          int k = 0;
          ((*this)(std::to_string(k++), member), ...);
        },
        members(value));
  }
  void one(std::string& text);
  template <PlainValue Value>
  void one(std::vector<Value>& list) {
    std::string text(reinterpret_cast<const char*>(list.data()), sizeof(Value) * list.size());
    one(text);
    if (!reads()) return;
    if (text.size() % sizeof(Value) != 0) refuse("has another size");
    list.resize(text.size() / sizeof(Value));
    if (!list.empty()) std::memcpy(static_cast<void*>(list.data()), text.data(), text.size());
  }
  template <class Value>
  void one(std::vector<Value>& list) {
    std::size_t n = list.size();
    (*this)("n", n);
    if (reads()) list.assign(n, Value());
    for (std::size_t k = 0; k < n; ++k) (*this)(std::to_string(k), list[k]);
  }
  template <class Value>
  void one(std::optional<Value>& value) {
    bool has = value.has_value();
    (*this)("has", has);
    if (reads()) value = has ? std::optional<Value>(Value()) : std::nullopt;
    if (value) (*this)("value", *value);
  }
  template <class First, class Second>
  void one(std::pair<First, Second>& pair) {
    (*this)("first", pair.first);
    (*this)("second", pair.second);
  }
  template <class Key, class Value>
  void one(std::map<Key, Value>& map) {
    std::vector<std::pair<Key, Value>> list(map.begin(), map.end());
    one(list);
    if (reads()) map = {list.begin(), list.end()};
  }

  /// Writes or reads a plain value.
  void bytes(void* value, std::size_t n_byte);
  const std::string& found() const;
  [[noreturn]] void refuse(const char* why) const;

  ArchivedBytes* to_;
  const ArchivedBytes* from_;
  std::string prefix_;
};

}  // namespace nodia
