/// Loops over nodes and the like on the CPU, by one thread or several, with the same bits. By one
/// without an OpenMP region: inside a batch's it would cost more than a small body's pass.
#pragma once

#include <algorithm>

namespace nodia {

/// Calls f(i) for i in [0, n). @param f  does not throw
template <class F>
void for_items(int n, int n_thread, const F& f) {
  if (n_thread <= 1) {
    for (int i = 0; i < n; ++i) f(i);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(n_thread)
  for (int i = 0; i < n; ++i) f(i);
}

/// Whether good(i) for every i in [0, n); all are asked. @param good  does not throw
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

/// The largest of zero and value(i) for i in [0, n), NaN left out. @param value  does not throw
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
