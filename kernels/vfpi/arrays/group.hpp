/// Arrays of the V-FPI loop in groups. A group declares each of its arrays once: its type and
/// meaning as a member, and in `each` its name, where an environment's part of it begins, when it
/// is needed and who writes it. Memory on the host and on the device, transfers, the names that the
/// mimicking launcher reports and the views that kernels get all follow from that.
///
///   each(f, groups...)   calls f(field, group.array...) for every array; the groups may lie in
///                        different spaces
#pragma once

#include <cstdint>

namespace nodia {

/// Where the arrays of a group lie: in memory that is owned, ...
/// @tparam Array  contiguous memory with data(), size() and resize(n); resized memory keeps nothing
///                that counts, and new memory is zero
template <template <class> class Array>
struct Owned {
  template <class T>
  using In = Array<T>;
  template <class T>
  using Out = Array<T>;
};

/// ... or pointers to one environment's parts. Kernels read In and write Out.
struct Views {
  template <class T>
  using In = const T*;
  template <class T>
  using Out = T*;
};

/// What the environments of a problem need beside what all do.
struct LoopNeeds {
  bool gradient = false;       ///< A y - b between kernels
  bool two_gradients = false;  ///< Barzilai-Borwein's
  bool increment = false;      ///< the state in double over a float increment: mixed precision
  bool ties = false;           ///< virtual nodes
};

enum class Written : std::uint8_t {
  with_rows,      ///< by the host, where the rows are new; the loop may go on from there
  every_problem,  ///< by the host, with every problem; the loop may go on from there
  assembled,      ///< likewise, or by an assembly into the planes
  contacts,       ///< likewise, or before the loop by what makes the contacts
  start,          ///< likewise, or by the last solve
  by_loop         ///< before it is read, by the loop
};

using NeedMember = bool LoopNeeds::*;
template <class Offsets>
using OffsetMember = std::int64_t Offsets::*;

/// One array of a group.
/// @tparam Offsets  of the group that counts the array's units
template <class Offsets>
struct Field {
  const char* name;
  Written written;
  OffsetMember<Offsets> first;  ///< an environment's part begins `length` times so many values in
  std::int64_t length = 1;      ///< values of a unit
  NeedMember needed = nullptr;  ///< null: always
};

}  // namespace nodia
