/// Several problems as the environments of one.
#pragma once

#include <algorithm>
#include <vector>

#include "host/problem/contact_problem.hpp"

namespace nodia::test {

/// @param parts  of one environment each, without points
inline ContactProblem joined(const std::vector<ContactProblem>& parts) {
  ContactProblem all = parts.front();
  std::vector<std::shared_ptr<const BlockPattern>> patterns;
  for (const ContactProblem& p : parts) patterns.push_back(p.A.pattern);
  all.A = BlockMatrix(BlockPattern::concatenate(patterns));
  all.b.clear();
  all.mass.clear();
  all.position.clear();
  all.contacts.clear();
  all.topology.clear();
  all.env_node_begin = all.env_contact_begin = {0};
  std::int64_t value = 0;
  for (const ContactProblem& p : parts) {
    const auto first = static_cast<std::int32_t>(all.b.size());
    const std::int64_t n_value = 9 * static_cast<std::int64_t>(p.A.pattern->n_block());
    std::copy_n(p.A.value.begin(), n_value, all.A.value.begin() + value);
    value += n_value;
    all.b.insert(all.b.end(), p.b.begin(), p.b.end());
    all.mass.insert(all.mass.end(), p.mass.begin(), p.mass.end());
    all.position.insert(all.position.end(), p.position.begin(), p.position.end());
    for (Contact<double> c : p.contacts) {
      c.side_i += first;
      if (c.side_j != kWorld) c.side_j += first;
      all.contacts.push_back(c);
    }
    all.topology.push_back(p.topology.front());
    all.env_node_begin.push_back(static_cast<std::int32_t>(all.b.size()));
    all.env_contact_begin.push_back(static_cast<std::int32_t>(all.contacts.size()));
  }
  return all;
}

}  // namespace nodia::test
