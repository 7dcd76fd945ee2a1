/// The known name nearest to a misspelt one, for messages about unknown keys and values.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace nodia {

/// Levenshtein distance: insertions, deletions and replacements of one character that turn `a` into
/// `b`.
inline int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// The first of `known` with the least edit distance to `name`; empty where `known` is. Names
/// longer than 256 characters are compared by their beginning.
inline std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  const std::string start = name.substr(0, 256);
  std::string nearest;
  int least = -1;
  for (const std::string& candidate : known) {
    const int distance = edit_distance(start, candidate);
    if (least < 0 || distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace nodia
