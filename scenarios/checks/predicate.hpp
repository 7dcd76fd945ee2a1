/// Checks as predicates of the present: what is compared is the check's, its times are not given.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "scenarios/checks/check.hpp"

namespace nodia {

/// A check whose keys of time (from_s, to_s, at_s) say nothing.
template <class Check>
struct Timeless {
  static constexpr const char* kName = Check::kName;
  Check check;
};

namespace detail {

/// The kinds of checks that a moment, or the steps of a window, can be held against: all but those
/// that need a whole run.
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

/// Shows a visitor all keys but those of time.
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

/// In the order of the kinds of checks.
using PredicateKind = detail::AllTimeless<CheckKind>::type;

/// Whether it compares one moment, a place; the others compare the steps of a window.
bool compares_a_moment(const PredicateKind& kind);

/// The check over the steps that end in (from, to]; of a moment the first that ends at or behind
/// `to`.
CheckKind at_time(const PredicateKind& kind, double from_s, double to_s);

/// As validate() of the check. @param path  of its group @param window_s  what it compares, >= a
/// step @throws ValueError
void validate(const PredicateKind& kind, const std::string& path, const Scene& scene,
              double window_s);

}  // namespace nodia
