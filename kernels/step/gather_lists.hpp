/// Builds the gather lists of the assembly, ascending by tetrahedron. Stable sorts of integers make
/// the lists identical on host and device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/device/device_buffer.hpp"
#include "kernels/step/assembly_view.hpp"

namespace nodia {

/// Output arrays for the lists of the same names in AssemblyView.
struct GatherLists {
  std::int32_t* mirror = nullptr;
  std::int32_t* corner_begin = nullptr;
  std::int32_t* corner = nullptr;
  std::int32_t* coupling_begin = nullptr;
  Coupling* coupling = nullptr;
};

/// Calls f(array, list, size) for every list of a view.
template <class F>
void for_each_list(AssemblyView* v, GatherLists* lists, const F& f) {
  const auto n_tet = static_cast<std::size_t>(v->n_tet),
             n_block = static_cast<std::size_t>(v->n_block);
  f(v->mirror, lists->mirror, n_block);
  f(v->corner_begin, lists->corner_begin, static_cast<std::size_t>(v->n_node) + 1);
  f(v->corner, lists->corner, 4 * n_tet);
  f(v->coupling_begin, lists->coupling_begin, n_block + 1);
  f(v->coupling, lists->coupling, 6 * n_tet);
}

/// Index of the first of n ascending values that is at least `value`; n if there is none.
template <class T>
NODIA_HD std::int32_t first_not_below(const T* ascending, std::int32_t n, T value) {
  std::int32_t begin = 0;
  for (std::int32_t end = n; begin < end;) {
    const std::int32_t middle = begin + (end - begin) / 2;
    if (ascending[middle] < value)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/// Sort key of block (row, column) in the order of the pattern.
NODIA_HD std::uint64_t block_key(std::int32_t row, std::int32_t column) {
  return static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint32_t>(column);
}

NODIA_HD std::int32_t corner_node(const TetSlice* slice, int e, int a) {
  return slice[e / kSliceTets].node[a][e % kSliceTets] / kNodeStride;
}

/// Two corners of a tetrahedron; the corner with the lower node comes first.
struct CornerPair {
  int e = 0, a = 0, b = 0;
};
/// Returns pair k % 6 of tetrahedron k / 6.
NODIA_HD CornerPair corner_pair(const TetSlice* slice, int k) {
  const int e = k / 6, pair = k % 6;  // 01 02 03 12 13 23
  const int a = pair < 3 ? 0 : (pair < 5 ? 1 : 2);
  const int b = pair < 3 ? pair + 1 : (pair < 5 ? pair - 1 : 3);
  const bool ascending = corner_node(slice, e, a) < corner_node(slice, e, b);
  return {e, ascending ? a : b, ascending ? b : a};
}

/// Sort keys. Blocks are sorted by column, corners by node (corner k % 4 of tetrahedron k / 4), and
/// corner pairs by the block right of the diagonal to which they contribute.
struct ColumnKey {
  const std::int32_t* column;
  NODIA_HD std::uint64_t operator()(int k) const { return static_cast<std::uint64_t>(column[k]); }
};
struct NodeKey {
  const TetSlice* slice;
  NODIA_HD std::uint64_t operator()(int k) const {
    return static_cast<std::uint64_t>(corner_node(slice, k / 4, k % 4));
  }
};
struct PairKey {
  const TetSlice* slice;
  NODIA_HD std::uint64_t operator()(int k) const {
    const CornerPair pair = corner_pair(slice, k);
    return block_key(corner_node(slice, pair.e, pair.a), corner_node(slice, pair.e, pair.b));
  }
};

struct Itself {
  NODIA_HD std::int32_t operator()(int k) const { return k; }
};
struct CornerIndex {
  NODIA_HD std::int32_t operator()(int k) const { return corner_index(k / 4, k % 4); }
};
/// Couplings of the sorted corner pairs.
struct PairCoupling {
  const TetSlice* slice;
  const std::int32_t* order;
  NODIA_HD Coupling operator()(int k) const {
    const CornerPair pair = corner_pair(slice, order[k]);
    return {corner_index(pair.e, pair.a), corner_index(pair.e, pair.b)};
  }
};

/// Index of node i's first corner among n sorted corners.
struct CornerBegin {
  const std::uint64_t* key;
  std::int32_t n;
  NODIA_HD std::int32_t operator()(int i) const {
    return first_not_below(key, n, static_cast<std::uint64_t>(i));
  }
};
/// Index of block k's first coupling among n sorted couplings; n for blocks of rows that are not
/// nodes and for the index behind the last block.
struct CouplingBegin {
  const std::int32_t* row_begin;
  const std::int32_t* column;
  std::int32_t n_node;
  const std::uint64_t* key;
  std::int32_t n;
  NODIA_HD std::int32_t operator()(int k) const {
    if (k >= row_begin[n_node]) return n;
    const std::int32_t row = first_not_below(row_begin, n_node + 1, k + 1) - 1;
    return first_not_below(key, n, block_key(row, column[k]));
  }
};

/// Builds the lists of a model from its sizes, slices, row_begin and column. Columns ascend in
/// every row; the pattern of all rows is symmetric.
/// @param on  tabulate(out, n, f): out[k] = f(k); stable_sort_by_key(key, n, value): sorts pairs by
///            ascending key, in place; both take arrays in device memory
template <class Arrays>
void make_gather_lists(const Arrays& on, const AssemblyView& model, const GatherLists& lists) {
  const int n_block = model.n_block, n_corner = 4 * model.n_tet, n_pair = 6 * model.n_tet;
  const auto most = static_cast<std::size_t>(n_block > n_pair ? n_block : n_pair);
  DeviceBuffer<std::uint64_t> keys(most);
  DeviceBuffer<std::int32_t> order(static_cast<std::size_t>(n_pair));
  std::uint64_t* const key = keys.data();

  // Sorted by column, then row, the blocks are in the order of their mirror images.
  on.tabulate(key, n_block, ColumnKey{model.column});
  on.tabulate(lists.mirror, n_block, Itself{});
  on.stable_sort_by_key(key, n_block, lists.mirror);

  on.tabulate(key, n_corner, NodeKey{model.slice});
  on.tabulate(lists.corner, n_corner, CornerIndex{});
  on.stable_sort_by_key(key, n_corner, lists.corner);
  on.tabulate(lists.corner_begin, model.n_node + 1, CornerBegin{key, n_corner});

  on.tabulate(key, n_pair, PairKey{model.slice});
  on.tabulate(order.data(), n_pair, Itself{});
  on.stable_sort_by_key(key, n_pair, order.data());
  on.tabulate(lists.coupling, n_pair, PairCoupling{model.slice, order.data()});
  on.tabulate(lists.coupling_begin, n_block + 1,
              CouplingBegin{model.row_begin, model.column, model.n_node, key, n_pair});
}

}  // namespace nodia
