/// Recomputes the contact of a soft node with an obstacle from the state at the start of the step.
/// Storing all contacts would take more memory than the model.
#pragma once

#include "kernels/contact/contact.hpp"
#include "kernels/step/soft_contacts.hpp"

namespace nodia {

/// Contact rule of a candidate pair whose surfaces may collide.
NODIA_HD const ContactRule& rule_at(const SoftContacts& contacts, int node, int obstacle) {
  const std::int64_t surface = contacts.surface[node];
  return contacts.rule[surface * contacts.near.n_obstacle + obstacle];
}

/// Returns whether the two surfaces may collide.
NODIA_HD bool can_touch(const SoftContacts& contacts, int node, int obstacle) {
  const std::int64_t surface = contacts.surface[node];
  return surface >= 0 && contacts.may_collide[surface * contacts.near.n_obstacle + obstacle] != 0;
}

/// Contact of a flagged candidate pair; side i is the row of the loop, the key is 0. Needs prepared
/// obstacles (launch_near_places).
template <class Memory>
NODIA_HD Contact<double> contact_at(const SoftContacts& contacts, const SoftRows& soft, int node,
                                    int obstacle, Memory memory) {
  const NodeHit hit = hit_at(memory.read_in_place(contacts.near.prepared + obstacle),
                             memory.template load_unpadded_node<double>(soft.x, node));
  const ContactRule& rule = rule_at(contacts, node, obstacle);
  Contact<double> c;
  c.side_i = contacts.row[node];
  c.R = contact_frame(hit.normal, rule.axis);
  c.phi = contact_phi(
      {hit.gap_m, memory.template load_unpadded_node<double>(soft.v, node), hit.surface_velocity},
      c.R, rule.restitution, contacts.times);
  c.mu1 = rule.mu1;
  c.mu2 = rule.mu2;
  return c;
}

}  // namespace nodia
