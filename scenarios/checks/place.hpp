/// Keys of checks that bound a coordinate or a distance of several points at one time.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/core/words.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

enum class Axis { x, y, z };
constexpr auto words_of(Axis) {
  return std::array{Word{Axis::x, "x"}, Word{Axis::y, "y"}, Word{Axis::z, "z"}};
}

enum class Statistic { mean, lowest, highest };
constexpr auto words_of(Statistic) {
  return std::array{Word{Statistic::mean, "mean"}, Word{Statistic::lowest, "lowest"},
                    Word{Statistic::highest, "highest"}};
}

/// Mean, minimum or maximum of values. NaN if one of them is NaN.
/// @param values  at least one
inline double statistic_of(const std::vector<double>& values, Statistic of) {
  for (const double value : values)
    if (std::isnan(value)) return value;
  if (of == Statistic::lowest) return *std::min_element(values.begin(), values.end());
  if (of == Statistic::highest) return *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Name of the quantity of a check with the keys `of` and `axis`, such as "mean z coordinate".
template <class Check>
std::string coordinate_in_words(const Check& check) {
  return fmt::format("{} {} coordinate", name_of(check.of), name_of(check.axis));
}

template <class Check>
void visit_statistic(DocumentVisitor& v, Check& c, const char* over) {
  v.choice({"of", over}, c.of, choices_of<Statistic>());
}

template <class Check>
void visit_moment(DocumentVisitor& v, Check& c) {
  if (v.hides_times()) return;
  v.optional({"at_s", "left out: at the end [s]"}, c.at_s,
             [&](const Key& key, double& value) { v.real(key, value, Range::positive()); });
}

/// Visits the keys of the time and of the bounds.
template <class Check>
void visit_bounds_m(DocumentVisitor& v, Check& c) {
  const auto number = [&](const Key& key, double& value) { v.real(key, value, Range::any()); };
  visit_moment(v, c);
  v.optional({"above_m", "[m]"}, c.above_m, number);
  v.optional({"below_m", "[m]"}, c.below_m, number);
}

template <class Check>
void visit_place(DocumentVisitor& v, Check& c, const char* over) {
  v.choice({"axis", "of the world"}, c.axis, choices_of<Axis>());
  visit_statistic(v, c, over);
  visit_bounds_m(v, c);
}

}  // namespace nodia
