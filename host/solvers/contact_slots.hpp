/// The order in which an iteration visits contacts: kernels/contact/vfpi.hpp's slots.
#pragma once

#include <cstdint>
#include <vector>

#include "host/problem/contact_problem.hpp"

namespace nodia {

/// Slots: contacts with the world on uncoupled nodes first, grouped by node; then coupled contacts,
/// grouped by environment. A node is coupled when it touches another node. Within a group the
/// problem's order is kept.
struct ContactSlots {
  std::vector<std::int32_t> contact_of_slot;     ///< [n_contact]
  std::vector<std::int32_t> slot_begin;          ///< [n_node + 1] world slots per node
  std::vector<std::int32_t> coupled_slot_begin;  ///< [n_env + 1] coupled slots per environment
  std::vector<std::int32_t> coupled_node;        ///< ascending
  std::vector<std::int32_t> coupled_node_begin;  ///< [n_env + 1] into coupled_node
  std::vector<std::int32_t> coupled_begin;       ///< [n_coupled_node + 1] into coupled_entry
  std::vector<std::int32_t> coupled_entry;       ///< 2 slot + (1 where the node is node_j)
  std::vector<std::int32_t> coupled_count;       ///< [n_node]
  std::vector<char> several;  ///< [n_env] some node of the environment is in several contacts

  void build(const ContactProblem& problem);
};

}  // namespace nodia
