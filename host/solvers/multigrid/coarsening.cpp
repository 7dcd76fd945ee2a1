#include "host/solvers/multigrid/coarsening.hpp"

#include <algorithm>

namespace nodia {
namespace {

using Lists = std::vector<std::vector<std::int32_t>>;

/// Aggregates that K couples with each aggregate, ascending.
Lists neighbours_of(const BlockPattern& fine, const AggregateLevel& level) {
  const auto n = static_cast<std::size_t>(level.n_aggregate());
  Lists neighbours(n);
  std::vector<std::int32_t> seen(n, -1);
  for (std::int32_t a = 0; a < level.n_aggregate(); ++a) {
    for (std::int32_t e = level.member_begin[a]; e < level.member_begin[a + 1]; ++e) {
      const std::int32_t i = level.member[e];
      for (std::int32_t k = fine.row_begin[i]; k < fine.row_begin[i + 1]; ++k) {
        const std::int32_t other = level.aggregate[fine.column[k]];
        if (std::exchange(seen[other], a) != a) neighbours[a].push_back(other);
      }
    }
    std::sort(neighbours[a].begin(), neighbours[a].end());
  }
  return neighbours;
}

/// Pattern with two rows per aggregate, of equal length.
std::shared_ptr<const BlockPattern> coarse_pattern(const Lists& neighbours) {
  auto pattern = std::make_shared<BlockPattern>();
  for (std::size_t a = 0; a < neighbours.size(); ++a)
    for (int half = 0; half < 2; ++half) {
      for (const std::int32_t other : neighbours[a]) {
        if (static_cast<std::size_t>(other) == a)
          pattern->diagonal.push_back(static_cast<std::int32_t>(pattern->column.size()) + half);
        pattern->column.push_back(2 * other);
        pattern->column.push_back(2 * other + 1);
      }
      pattern->row_begin.push_back(static_cast<std::int32_t>(pattern->column.size()));
    }
  return pattern;
}

}  // namespace

Coarsening make_coarsening(const BlockPattern& fine, const AggregateLevel& level) {
  const Lists neighbours = neighbours_of(fine, level);
  Coarsening made;
  made.pattern = coarse_pattern(neighbours);
  const auto length = [&](std::int32_t a) {
    return 2 * static_cast<std::int32_t>(neighbours[a].size());
  };
  const auto place = [&](std::int32_t a, std::int32_t other) {
    const auto found = std::lower_bound(neighbours[a].begin(), neighbours[a].end(), other);
    return made.pattern->row_begin[2 * a] +
           2 * static_cast<std::int32_t>(found - neighbours[a].begin());
  };
  std::vector<std::int32_t> block_of(neighbours.size());
  std::vector<std::int32_t> next;
  std::int32_t n_term = 0;
  for (std::int32_t a = 0; a < level.n_aggregate(); ++a) {
    const std::size_t first = made.block.size();
    for (const std::int32_t other : neighbours[a]) {
      if (other < a) continue;
      block_of[other] = static_cast<std::int32_t>(made.block.size() - first);
      made.block.push_back(
          {0, place(a, other), place(other, a), length(a), length(other), other == a});
    }
    next.assign(made.block.size() - first, 0);
    const auto for_terms = [&](const auto& term) {
      for (std::int32_t e = level.member_begin[a]; e < level.member_begin[a + 1]; ++e) {
        const std::int32_t i = level.member[e];
        for (std::int32_t k = fine.row_begin[i]; k < fine.row_begin[i + 1]; ++k) {
          const std::int32_t other = level.aggregate[fine.column[k]];
          if (other >= a) term(block_of[other], CoarseTerm{k, i});
        }
      }
    };
    for_terms([&](std::int32_t block, CoarseTerm) { ++next[block]; });
    for (std::size_t k = 0; k < next.size(); ++k) {
      made.block[first + k].term_begin = n_term;
      n_term += std::exchange(next[k], n_term);
    }
    made.term.resize(static_cast<std::size_t>(n_term));
    for_terms([&](std::int32_t block, CoarseTerm term) { made.term[next[block]++] = term; });
  }
  made.block.push_back({n_term, 0, 0, 0, 0, false});
  return made;
}

}  // namespace nodia
