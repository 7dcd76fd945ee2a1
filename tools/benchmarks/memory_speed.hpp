/// Speed at which this machine reads and copies memory, for a working set of a given size: the
/// lower bound of an iteration's time. A set that fits a cache is read from it, after a warm-up
/// pass.
#pragma once

#include <cstddef>

namespace nodia::studies {

/// Time to read `bytes` once [s]: the least of several passes over a buffer of that size, summed in
/// `n_thread` threads.
double read_time_s(std::size_t bytes, int n_thread);

/// Time of a copy that moves `bytes` in all [s]: half of them read, the other half written, so that
/// the working set is `bytes` too. The least of several passes in `n_thread` threads.
double copy_time_s(std::size_t bytes, int n_thread);

/// Size of the second-level cache of one core [bytes]; 0 if the system does not report it.
std::size_t private_cache_bytes();

}  // namespace nodia::studies
