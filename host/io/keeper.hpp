/// Serialises named values to bytes and back: the state of a run beside its simulation.
#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace nodia {

using KeptBytes = std::map<std::string, std::string>;

class Keeper;

template <class Value>
concept KeepsItself = requires(Value& value, Keeper& k) {
  value.keep(k);
};
/// True if its bytes are its complete value.
template <class Value>
concept PlainValue =
    !KeepsItself<Value> && std::is_trivially_copyable_v<Value> &&
    (std::is_arithmetic_v<Value> || std::is_enum_v<Value> || std::is_aggregate_v<Value>);

/// Archive that writes or reads values. A class names its serialised members once, in `void
/// keep(Keeper& k)`, e.g. `k("sum", sum_)`; this serves both directions.
class Keeper {
 public:
  static Keeper saving(KeptBytes* to) { return {to, nullptr}; }
  static Keeper loading(const KeptBytes& from) { return {nullptr, &from}; }
  bool loads() const { return from_ != nullptr; }

  /// Serialises plain values, texts, lists, maps, pairs, optionals, and types with keep().
  /// @throws InputError if a value is missing or has another size
  template <class Value>
  void operator()(const std::string& name, Value& value) {
    const std::size_t n_outer = prefix_.size();
    prefix_ += '/';
    prefix_ += name;
    one(value);
    prefix_.resize(n_outer);
  }

 private:
  Keeper(KeptBytes* to, const KeptBytes* from) : to_(to), from_(from) {}

  template <KeepsItself Value>
  void one(Value& value) {
    value.keep(*this);
  }
  template <PlainValue Value>
  void one(Value& value) {
    bytes(&value, sizeof(Value));
  }
  void one(std::string& text);
  template <class Value>
  void one(std::vector<Value>& list) {
    std::size_t n = list.size();
    (*this)("n", n);
    if (loads()) list.assign(n, Value());
    for (std::size_t k = 0; k < n; ++k) (*this)(std::to_string(k), list[k]);
  }
  template <class Value>
  void one(std::optional<Value>& value) {
    bool has = value.has_value();
    (*this)("has", has);
    if (loads()) value = has ? std::optional<Value>(Value()) : std::nullopt;
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
    if (loads()) map = {list.begin(), list.end()};
  }

  /// Serialises a plain value.
  void bytes(void* value, std::size_t n_byte);
  const std::string& found() const;
  [[noreturn]] void refuse(const char* why) const;

  KeptBytes* to_;
  const KeptBytes* from_;
  std::string prefix_;
};

}  // namespace nodia
