/// Comparison of arrays bit for bit.
#pragma once

#include <cstring>
#include <vector>

namespace nodia::test {

/// Elements that differ in any bit; -1 where the sizes differ.
template <class T>
int count_different(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return -1;
  int different = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    different += std::memcmp(&a[i], &b[i], sizeof(T)) != 0 ? 1 : 0;
  return different;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return count_different(a, b) == 0;
}

}  // namespace nodia::test
