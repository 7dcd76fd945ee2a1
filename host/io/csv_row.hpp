/// Words and numbers of one row of a CSV file.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "kernels/core/vec3.hpp"

namespace nodia {

/// Writes numbers in the shortest form that reads back to the same bits, in any locale. NaN becomes
/// an empty field.
class CsvRow {
 public:
  void add(const char* word) { (text_ += word) += ','; }
  void add(int value) { add_number(value); }
  void add(double value) {
    if (std::isnan(value))
      text_ += ',';
    else
      add_number(value);
  }
  void add(Vec3d v) {
    add(v.x);
    add(v.y);
    add(v.z);
  }
  void add_empty(std::size_t n) { text_.append(n, ','); }
  std::string take() {
    text_.pop_back();
    return std::move(text_);
  }

 private:
  template <class Number>
  void add_number(Number value) {
    char digits[32];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    text_ += ',';
  }
  std::string text_;
};

/// Name of a column: every character except letters, digits and _ becomes _, and _2, _3, ...
/// follows if the name is in `taken`.
inline std::string column_name(const std::string& name, const std::vector<std::string>& taken) {
  std::string word = name;
  for (char& c : word) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!kept) c = '_';
  }
  const auto is_taken = [&](const std::string& w) {
    return std::find(taken.begin(), taken.end(), w) != taken.end();
  };
  std::string unique = word;
  for (int k = 2; is_taken(unique); ++k) unique = fmt::format("{}_{}", word, k);
  return unique;
}

}  // namespace nodia
