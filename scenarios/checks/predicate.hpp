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

}  // namespace detail

template <class Check>
void visit_keys(DocumentVisitor& v, Timeless<Check>& predicate) {
  v.without_times([&] { visit_keys(v, predicate.check); });
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
