#include "host/solvers/contact_slots.hpp"

#include <algorithm>

namespace nodia {

void ContactSlots::build(const ContactProblem& problem) {
  const int n_node = problem.n_node(), n_env = problem.n_env(), n_contact = problem.n_contact();
  const std::vector<Contact<double>>& contacts = problem.contacts;

  std::vector<char> coupled(n_node, 0);
  std::vector<std::int32_t> count(n_node, 0);
  for (const Contact<double>& c : contacts) {
    ++count[c.node_i];
    if (c.node_j == kWorld) continue;
    ++count[c.node_j];
    coupled[c.node_i] = coupled[c.node_j] = 1;
  }

  slot_begin.assign(n_node + 1, 0);
  for (const Contact<double>& c : contacts)
    if (!coupled[c.node_i]) ++slot_begin[c.node_i + 1];
  for (int i = 0; i < n_node; ++i) slot_begin[i + 1] += slot_begin[i];

  contact_of_slot.assign(n_contact, 0);
  std::vector<std::int32_t> next(slot_begin.begin(), slot_begin.end() - 1);
  std::int32_t coupled_slot = slot_begin[n_node];
  coupled_slot_begin.assign(1, coupled_slot);
  several.assign(n_env, 0);
  for (int e = 0; e < n_env; ++e) {
    for (int m = problem.env_contact_begin[e]; m < problem.env_contact_begin[e + 1]; ++m) {
      const Contact<double>& c = contacts[m];
      contact_of_slot[coupled[c.node_i] ? coupled_slot++ : next[c.node_i]++] = m;
      if (count[c.node_i] > 1 || (c.node_j != kWorld && count[c.node_j] > 1)) several[e] = 1;
    }
    coupled_slot_begin.push_back(coupled_slot);
  }

  coupled_node.clear();
  coupled_count.assign(n_node, 0);
  coupled_node_begin.assign(1, 0);
  for (int e = 0; e < n_env; ++e) {
    for (int i = problem.env_node_begin[e]; i < problem.env_node_begin[e + 1]; ++i) {
      if (!coupled[i]) continue;
      coupled_node.push_back(i);
      coupled_count[i] = count[i];
    }
    coupled_node_begin.push_back(static_cast<std::int32_t>(coupled_node.size()));
  }

  std::vector<std::int32_t> index(n_node, -1);
  coupled_begin.assign(1, 0);
  for (std::size_t k = 0; k < coupled_node.size(); ++k) {
    index[coupled_node[k]] = static_cast<std::int32_t>(k);
    coupled_begin.push_back(coupled_begin.back() + count[coupled_node[k]]);
  }
  coupled_entry.assign(coupled_begin.back(), 0);
  std::vector<std::int32_t> fill(coupled_begin.begin(), coupled_begin.end() - 1);
  for (std::int32_t slot = slot_begin[n_node]; slot < n_contact; ++slot) {
    const Contact<double>& c = contacts[contact_of_slot[slot]];
    coupled_entry[fill[index[c.node_i]]++] = 2 * slot;
    if (c.node_j != kWorld) coupled_entry[fill[index[c.node_j]]++] = 2 * slot + 1;
  }
}

}  // namespace nodia
