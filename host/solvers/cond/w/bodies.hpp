/// Which rows of an environment the parts of W on bodies take.
#pragma once

#include <algorithm>

#include "host/problem/contact_problem.hpp"

namespace nodia {

/// The environment's groups of rows: bodies and chains, ascending.
inline std::pair<const RowGroup*, const RowGroup*> groups_of(const ContactProblem& problem, int e) {
  const auto below = [](const RowGroup& g, std::int32_t row) { return g.first_row < row; };
  const RowGroup *begin = problem.groups.data(), *end = begin + problem.groups.size();
  return {std::lower_bound(begin, end, problem.env_node_begin[e], below),
          std::lower_bound(begin, end, problem.env_node_begin[e + 1], below)};
}

}  // namespace nodia
