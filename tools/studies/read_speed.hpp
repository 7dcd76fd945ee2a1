/// How fast this machine reads memory, for a working set of a given size: the floor of an
/// iteration.
#pragma once

#include <cstddef>

namespace nodia::studies {

/// Time to read `bytes` once [s]: the least of several passes over a buffer of that size, summed in
/// `n_thread` threads, after a warm-up pass, so that a set that fits a cache is read from it.
double read_time_s(std::size_t bytes, int n_thread);

/// Size of the second-level cache of one core [bytes]; 0 where the system does not say.
std::size_t private_cache_bytes();

}  // namespace nodia::studies
