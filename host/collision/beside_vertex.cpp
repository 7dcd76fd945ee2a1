#include "host/collision/beside_vertex.hpp"

#include <algorithm>
#include <tuple>

#include "kernels/collision/soft_edges.hpp"

namespace nodia {
namespace {

constexpr double kBeside = 0.05;  ///< of the edge

/// Node of the vertex that the pair is beside; -1 if none.
std::int32_t node_beside(const SurfacePair& pair) {
  const double s = pair.i.weight[1];
  if (s < kBeside) return pair.i.node[0];
  return s > 1 - kBeside ? pair.i.node[1] : -1;
}

}  // namespace

void keep_one_beside_vertices(const PairSearch& search, std::size_t first) {
  const auto begin = search.out->begin() + static_cast<std::ptrdiff_t>(first);
  const auto group_of = [](const SurfacePair& p) {
    return std::make_tuple(node_beside(p), p.feature_j);
  };
  const auto order_of = [&](const SurfacePair& p) {
    const bool is_new = !search.carries(p.rule, p.feature_i, p.feature_j);
    return std::make_tuple(group_of(p), is_new, p.gap_m, p.feature_i);
  };
  std::sort(begin, search.out->end(),
            [&](const SurfacePair& p, const SurfacePair& q) { return order_of(p) < order_of(q); });
  auto kept = begin, group = begin;  // the pairs kept, and the first of them in the current group
  for (auto p = begin; p != search.out->end(); ++p) {
    if (kept != begin && group_of(*p) != group_of(*(kept - 1))) group = kept;
    const bool is_known =
        node_beside(*p) >= 0 && std::any_of(group, kept, [&](const SurfacePair& q) {
          return norm(q.normal - p->normal) < kSameNormal;
        });
    if (is_known) continue;
    *kept = *p;
    ++kept;
  }
  search.out->erase(kept, search.out->end());
  std::sort(begin, search.out->end(), comes_before);
}

}  // namespace nodia
