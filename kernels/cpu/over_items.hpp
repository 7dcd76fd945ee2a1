/// Loops over items on the CPU with one or several threads and the same bits. One thread needs no
/// OpenMP region, which would cost more than the pass over a small body in a batch.
#pragma once

#include <algorithm>

namespace nodia {

/// Calls f(i) for i in [0, n). @param f  must not throw
template <class F>
void for_items(int n, int n_thread, const F& f) {
  if (n_thread <= 1) {
    for (int i = 0; i < n; ++i) f(i);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(n_thread)
  for (int i = 0; i < n; ++i) f(i);
}

/// True if good(i) for every i in [0, n); evaluates all. @param good  must not throw
template <class F>
bool all_items(int n, int n_thread, const F& good) {
  bool all = true;
  if (n_thread <= 1) {
    for (int i = 0; i < n; ++i) all = good(i) && all;
    return all;
  }
#pragma omp parallel for schedule(static) num_threads(n_thread) reduction(&& : all)
  for (int i = 0; i < n; ++i) all = good(i) && all;
  return all;
}

/// Maximum of zero and value(i) for i in [0, n), ignoring NaN. @param value  must not throw
template <class F>
double largest_item(int n, int n_thread, const F& value) {
  double largest = 0;
  if (n_thread <= 1) {
    for (int i = 0; i < n; ++i) largest = std::max(largest, value(i));
    return largest;
  }
#pragma omp parallel for schedule(static) num_threads(n_thread) reduction(max : largest)
  for (int i = 0; i < n; ++i) largest = std::max(largest, value(i));
  return largest;
}

}  // namespace nodia
