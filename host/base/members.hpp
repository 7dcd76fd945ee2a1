/// The members of an aggregate as a tuple of references, in the order of their declaration.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace nodia {

namespace detail {

/// Converts to a member of any type; never evaluated.
struct AnyMember {
  std::size_t index;
  template <class Member>
  operator Member&() const& noexcept;
  template <class Member>
  operator Member&&() const&& noexcept;
};

template <class Aggregate, std::size_t... k>
constexpr bool is_made_of(std::index_sequence<k...>) {
  return requires {
    Aggregate{AnyMember{k}...};
  };
}

inline constexpr std::size_t kMostMembers = 16;

/// Number of members. A C array counts as several members and a base class as one; members() does
/// not compile for such a struct.
template <class Aggregate, std::size_t n = kMostMembers>
constexpr std::size_t member_count() {
  if constexpr (n == 0 || is_made_of<Aggregate>(std::make_index_sequence<n>{}))
    return n;
  else
    return member_count<Aggregate, n - 1>();
}

}  // namespace detail

/// References to all members of a struct without bases, constructors and C arrays. Code that uses
/// this function also covers members that are added later.
template <class Aggregate>
requires std::is_aggregate_v<std::remove_const_t<Aggregate>>
constexpr auto members(Aggregate& value) {
  constexpr std::size_t count = detail::member_count<std::remove_const_t<Aggregate>>();
  static_assert(count > 0 && count < detail::kMostMembers, "more members than members() knows");
  if constexpr (count == 1) {
    auto& [a] = value;
    return std::tie(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = value;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = value;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = value;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = value;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = value;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto& [a, b, c, d, e, f, g] = value;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto& [a, b, c, d, e, f, g, h] = value;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (count == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (count == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (count == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (count == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  }
}

}  // namespace nodia
