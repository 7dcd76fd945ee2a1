/// Groups of arrays of the V-FPI loop. A group declares each array once: type and meaning as a
/// member; name, offset, need and writer in `each`. Host and device memory, transfers, the race
/// detector's names and the views of kernels follow from that.
///
///   each(f, groups...)   calls f(field, group.array...) for every array; the groups may be in
///                        different spaces
#pragma once

#include <cstdint>

namespace nodia {

/// Storage of a group in memory that it owns.
/// @tparam Array  contiguous memory with data(), size() and resize(n); new memory is zero
template <template <class> class Array>
struct Owned {
  template <class T>
  using In = Array<T>;
  template <class T>
  using Out = Array<T>;
};

/// Storage of a group as pointers to the arrays of one environment. Kernels read In and write Out.
struct Views {
  template <class T>
  using In = const T*;
  template <class T>
  using Out = T*;
};

/// Optional arrays that the environments of a problem need.
struct LoopNeeds {
  bool gradient = false;           ///< A y - b between kernels
  bool two_gradients = false;      ///< Barzilai-Borwein: the gradient of the last iteration
  bool increment = false;          ///< mixed precision: double state plus float increment
  bool point_constraints = false;  ///< point constraints of contact nodes
};

enum class Written : std::uint8_t {
  with_rows,      ///< by the host, if the rows are new; the loop may update it
  every_problem,  ///< by the host, with every problem; the loop may update it
  assembled,      ///< by the host with every problem, or by an assembly into the columns
  contacts,       ///< by the host with every problem, or by contact generation before the loop
  start,          ///< by the host with every problem, or by the last solve
  by_loop         ///< by the loop, before it is read
};

using NeedMember = bool LoopNeeds::*;
template <class Offsets>
using OffsetMember = std::int64_t Offsets::*;

/// Description of one array of a group.
/// @tparam Offsets  offsets of the group that counts the array's units
template <class Offsets>
struct Field {
  const char* name;
  Written written;
  OffsetMember<Offsets> first;  ///< an environment's array begins at first * length
  std::int64_t length = 1;      ///< values per unit
  NeedMember needed = nullptr;  ///< null: always
};

}  // namespace nodia
