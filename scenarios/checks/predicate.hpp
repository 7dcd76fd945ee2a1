/// Predicates: checks without times. A task evaluates them at the present time.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "scenarios/checks/check.hpp"

namespace nodia {

/// A check whose times (from_s, to_s, at_s) are ignored.
template <class Check>
struct Timeless {
  static constexpr const char* kName = Check::kName;
  Check check;
};

namespace detail {

/// Kinds of checks that can be evaluated at one time or over a window of steps: all except
/// ReferenceCsv, which needs the whole run.
template <class Kept, class... Checks>
struct TimelessOf {
  using type = Kept;
};
template <class... Kept, class First, class... Rest>
struct TimelessOf<std::variant<Kept...>, First, Rest...>
    : std::conditional_t<std::is_same_v<First, ReferenceCsv>,
                         TimelessOf<std::variant<Kept...>, Rest...>,
                         TimelessOf<std::variant<Kept..., Timeless<First>>, Rest...>> {};
template <class Kinds>
struct AllTimeless;
template <class... Checks>
struct AllTimeless<std::variant<Checks...>> : TimelessOf<std::variant<>, Checks...> {};

/// Passes all keys except times to a visitor.
template <class V>
class TimelessKeys {
 public:
  explicit TimelessKeys(V& v) : v_(v) {}

  template <class... Args>
  void real(const Key& key, Args&&... args) {
    if (!is_time(key)) v_.real(key, std::forward<Args>(args)...);
  }
  template <class... Args>
  void integer(const Key& key, Args&&... args) {
    v_.integer(key, std::forward<Args>(args)...);
  }
  template <class... Args>
  void text(const Key& key, Args&&... args) {
    v_.text(key, std::forward<Args>(args)...);
  }
  template <class... Args>
  void choice(const Key& key, Args&&... args) {
    v_.choice(key, std::forward<Args>(args)...);
  }
  template <class T, class Visit>
  void optional(const Key& key, std::optional<T>& value, const Visit& visit) {
    if (!is_time(key)) v_.optional(key, value, visit);
  }

 private:
  static bool is_time(const Key& key) {
    const std::string name = key.name;
    return name == "from_s" || name == "to_s" || name == "at_s";
  }

  V& v_;
};

}  // namespace detail

template <class V, class Check>
void visit_keys(V& v, Timeless<Check>& predicate) {
  detail::TimelessKeys<V> timeless(v);
  visit_keys(timeless, predicate.check);
}

/// The kinds of predicates, in the order of the kinds of checks.
using PredicateKind = detail::AllTimeless<CheckKind>::type;

/// True if the predicate is evaluated at one time, false if it is evaluated over a window of steps.
bool compares_a_moment(const PredicateKind& kind);

/// Check over the steps that end in (from, to]. An instantaneous check is evaluated at the end of
/// the first step that ends at or after `to`.
CheckKind at_time(const PredicateKind& kind, double from_s, double to_s);

/// Validates a predicate like a check.
/// @param path      dotted path of its group
/// @param window_s  length of the window [s], at least a time step
/// @throws ValueError
void validate(const PredicateKind& kind, const std::string& path, const Scene& scene,
              double window_s);

}  // namespace nodia
