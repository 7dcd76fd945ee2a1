#include "host/solvers/multigrid/aggregates.hpp"

#include <algorithm>

namespace nodia {
namespace {

/// A level with at most this number of aggregates is the coarsest.
constexpr int kCoarsest = 30;
/// A level with more than this share of the aggregates of the finer level is the coarsest, too.
constexpr double kLittleCoarser = 0.7;

/// Unit of aggregation: a soft node, an aggregate of them, or a fixed pair of rows.
struct Unit {
  std::int32_t first_row = 0, n_row = 1;
  std::int32_t body = 0;  ///< units of different bodies are never aggregated
  bool is_fixed = false;
  bool is_link = false;
};

using Graph = std::vector<std::vector<std::int32_t>>;  ///< neighbours of each, ascending

/// Number of the aggregate per unit. A unit whose neighbours are all free aggregates with them;
/// each remaining unit joins its first neighbouring aggregate, or forms its own.
std::vector<std::int32_t> gather(const std::vector<Unit>& units, const Graph& graph, int* n) {
  const auto n_unit = static_cast<std::int32_t>(units.size());
  std::vector<std::int32_t> of(units.size(), -1);
  *n = 0;
  for (std::int32_t u = 0; u < n_unit; ++u) {
    if (units[u].is_fixed || of[u] >= 0) continue;
    const bool free =
        std::all_of(graph[u].begin(), graph[u].end(), [&](std::int32_t w) { return of[w] < 0; });
    if (!free) continue;
    of[u] = *n;
    for (const std::int32_t w : graph[u]) of[w] = *n;
    ++*n;
  }
  std::vector<std::int32_t> first = of;
  for (std::int32_t u = 0; u < n_unit; ++u) {
    if (units[u].is_fixed || of[u] >= 0) continue;
    for (const std::int32_t w : graph[u])
      if (of[u] < 0 && first[w] >= 0) of[u] = first[w];
    if (of[u] < 0) of[u] = (*n)++;
  }
  // Fixed units follow in their order.
  for (std::int32_t u = 0; u < n_unit; ++u)
    if (units[u].is_fixed) of[u] = (*n)++;
  return of;
}

/// Rows of `units` and groups of the smoother: one per unit, fixed units of a body together.
AggregateLevel level_of(const std::vector<Unit>& units) {
  AggregateLevel level;
  for (std::size_t u = 0; u < units.size(); ++u) {
    const bool continues =
        u > 0 && units[u].is_fixed && units[u - 1].is_fixed && units[u].body == units[u - 1].body;
    const std::int32_t end = units[u].first_row + units[u].n_row;
    if (continues) {
      level.group_begin.back() = end;
      continue;
    }
    if (units[u].is_link) level.cable.push_back(level.n_group());
    level.group_begin.push_back(end);
  }
  return level;
}

std::vector<Unit> finest_units(const Topology& topology) {
  std::vector<Unit> units;
  for (std::size_t k = 0; k < topology.bodies.size(); ++k) {
    const Body& body = topology.bodies[k];
    const bool fixed = body.kind != BodyKind::soft, link = body.kind == BodyKind::chain;
    const std::int32_t size = fixed ? 2 : 1, end = body.first_row + body.n_row;
    for (std::int32_t row = body.first_row; row < end; row += size)
      units.push_back({row, std::min(size, end - row), static_cast<std::int32_t>(k), fixed, link});
  }
  return units;
}

Graph finest_graph(const Topology& topology, const std::vector<Unit>& units) {
  std::vector<std::int32_t> unit_of(static_cast<std::size_t>(topology.n_row()));
  for (std::size_t u = 0; u < units.size(); ++u)
    std::fill_n(unit_of.begin() + units[u].first_row, units[u].n_row, static_cast<std::int32_t>(u));
  Graph graph(units.size());
  for (std::size_t u = 0; u < units.size(); ++u) {
    if (units[u].is_fixed) continue;
    const std::int32_t row = units[u].first_row;
    for (std::int32_t k = topology.pattern.row_begin[row]; k < topology.pattern.row_begin[row + 1];
         ++k) {
      const std::int32_t w = unit_of[topology.pattern.column[k]];
      if (w != static_cast<std::int32_t>(u) && units[w].body == units[u].body)
        graph[u].push_back(w);
    }
  }
  return graph;
}

Graph coarser_graph(const Graph& graph, const std::vector<std::int32_t>& of, int n) {
  Graph coarse(static_cast<std::size_t>(n));
  for (std::size_t u = 0; u < graph.size(); ++u)
    for (const std::int32_t w : graph[u])
      if (of[u] != of[w]) coarse[of[u]].push_back(of[w]);
  for (std::vector<std::int32_t>& neighbours : coarse) {
    std::sort(neighbours.begin(), neighbours.end());
    neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
  }
  return coarse;
}

void set_aggregates(const std::vector<Unit>& units, const std::vector<std::int32_t>& of, int n,
                    AggregateLevel* level) {
  level->aggregate.resize(static_cast<std::size_t>(level->n_row()));
  level->is_fixed.assign(static_cast<std::size_t>(n), 0);
  level->member_begin.assign(static_cast<std::size_t>(n) + 1, 0);
  for (std::size_t u = 0; u < units.size(); ++u) {
    std::fill_n(level->aggregate.begin() + units[u].first_row, units[u].n_row, of[u]);
    level->is_fixed[of[u]] = units[u].is_fixed;
    level->member_begin[of[u] + 1] += units[u].n_row;
  }
  for (int k = 0; k < n; ++k) level->member_begin[k + 1] += level->member_begin[k];
  level->member.resize(level->aggregate.size());
  std::vector<std::int32_t> end = level->member_begin;
  for (std::size_t i = 0; i < level->aggregate.size(); ++i)
    level->member[end[level->aggregate[i]]++] = static_cast<std::int32_t>(i);
}

std::vector<Unit> coarser_units(const std::vector<Unit>& units, const std::vector<std::int32_t>& of,
                                int n) {
  std::vector<Unit> coarse(static_cast<std::size_t>(n));
  for (std::size_t u = 0; u < units.size(); ++u)
    coarse[of[u]] = {2 * of[u], 2, units[u].body, units[u].is_fixed, units[u].is_link};
  return coarse;
}

}  // namespace

std::vector<AggregateLevel> make_aggregates(const Topology& topology) {
  std::vector<Unit> units = finest_units(topology);
  Graph graph = finest_graph(topology, units);
  std::vector<AggregateLevel> levels{level_of(units)};
  while (true) {
    const auto free =
        std::count_if(units.begin(), units.end(), [](const Unit& u) { return !u.is_fixed; });
    if (levels.size() > 1 && free <= kCoarsest) return levels;
    int n = 0;
    const std::vector<std::int32_t> of = gather(units, graph, &n);
    const auto coarse_free = n - static_cast<std::ptrdiff_t>(units.size()) + free;
    if (static_cast<double>(coarse_free) > kLittleCoarser * static_cast<double>(free))
      return levels;
    set_aggregates(units, of, n, &levels.back());
    graph = coarser_graph(graph, of, n);
    units = coarser_units(units, of, n);
    levels.push_back(level_of(units));
  }
}

}  // namespace nodia
