/// The contact of a soft node with an obstacle, made again from where both are at the start of the
/// step: storing all of them would take more memory than the model.
#pragma once

#include "kernels/contact/contact.hpp"
#include "kernels/step/soft_contacts.hpp"

namespace nodia {

/// The rule of a place; for surfaces that meet.
NODIA_HD const ContactRule& rule_at(const SoftContacts& contacts, int node, int obstacle) {
  const std::int64_t surface = contacts.surface[node];
  return contacts.rule[surface * contacts.near.n_obstacle + obstacle];
}

/// Whether the surfaces of a place can touch.
NODIA_HD bool can_touch(const SoftContacts& contacts, int node, int obstacle) {
  const std::int64_t surface = contacts.surface[node];
  return surface >= 0 && contacts.meets[surface * contacts.near.n_obstacle + obstacle] != 0;
}

/// The contact of a near place, side i being the row of the loop, key 0; once the obstacles are
/// prepared (launch_near_places).
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
