/// Compares the contacts of an environment in the loop, row by row and index by index, bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <map>
#include <vector>

#include "kernels/vfpi/environment.hpp"

namespace nodia::test {

using Bits = std::vector<std::uint64_t>;

/// Bits of a contact index in every array, without the key.
template <class Precision>
Bits bits_of_slot(const VfpiEnvironment<Precision>& env, int slot) {
  Bits bits;
  const auto add = [&](double x) { bits.push_back(std::bit_cast<std::uint64_t>(x)); };
  const auto& c = env.contact[slot];
  add(c.side_i);
  add(c.side_j);
  for (int k = 0; k < 9; ++k) add(c.R(k / 3, k % 3));
  for (int k = 0; k < 3; ++k) add(c.phi[k]);
  add(c.mu1);
  add(c.mu2);
  add(env.compliance[slot]);
  if (env.n_contact_node > 0) {
    add(env.softness[slot]);
    for (int k = 0; k < kNodeStride; ++k) add(env.phi[kNodeStride * slot + k]);
    for (int k = 0; k < kNodeStride; ++k) add(env.bias_lambda[kNodeStride * slot + k]);
  }
  for (int k = 0; k < kNodeStride; ++k) add(env.lambda[kNodeStride * slot + k]);
  const auto* plane = env.contact_plane + kContactPlanes * (slot / kSliceRows * kSliceRows);
  for (int k = 0; k < kContactPlanes; ++k) add(plane[k * kSliceRows + slot % kSliceRows]);
  return bits;
}

/// Contacts of every row in their order.
template <class Precision>
std::map<int, std::vector<Bits>> contacts_of_rows(const VfpiEnvironment<Precision>& env) {
  std::map<int, std::vector<Bits>> rows;
  for (int slice = 0; slice < env.n_chunk * kBlockLanes / kSliceRows; ++slice) {
    for (int l = 0; l < kSliceRows && env.contact_slice[slice] >= 0; ++l)
      if (const int slot = env.contact_slice[slice] + l; env.contact[slot].side_i != kWorld)
        rows[slice * kSliceRows + l].push_back(bits_of_slot(env, slot));
    for (int r = env.multi_contact_begin[slice]; r < env.multi_contact_begin[slice + 1]; ++r) {
      EXPECT_EQ(env.multi_contact[r].row / kSliceRows, slice);
      for (int k = env.multi_contact[r].begin; k < env.multi_contact[r].end; ++k) {
        const std::int32_t entry = env.multi_contact[r].coupled != 0 ? env.coupled_entry[k] : 2 * k;
        rows[env.multi_contact[r].row].push_back(bits_of_slot(env, entry / 2));
        if (env.multi_contact[r].coupled != 0)
          rows[env.multi_contact[r].row].back().push_back(entry % 2);
      }
    }
  }
  return rows;
}

/// Calls visit(slot, has_contact) for every index. @return  number of indices with a contact
template <class Precision, class Visit>
int for_slots(const VfpiEnvironment<Precision>& env, const Visit& visit) {
  int n_contact = 0;
  for (int slot = 0; slot < env.n_slot; ++slot) {
    const bool has_contact = env.contact[slot].side_i != kWorld;
    if (has_contact) ++n_contact;
    visit(slot, has_contact);
  }
  return n_contact;
}

/// Compares the contacts of every row with the host's.
template <class Precision>
void expect_rows_of_the_host(const VfpiEnvironment<Precision>& own,
                             const VfpiEnvironment<Precision>& host) {
  EXPECT_TRUE(contacts_of_rows(own) == contacts_of_rows(host));
  EXPECT_EQ(own.rows_share_contacts, host.rows_share_contacts);
  EXPECT_EQ(own.load, host.load);
}

}  // namespace nodia::test
