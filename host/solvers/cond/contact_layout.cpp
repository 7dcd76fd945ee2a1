#include "host/solvers/cond/contact_layout.hpp"

#include <algorithm>

#include "host/base/threads.hpp"

namespace nodia {

void ContactLayout::build(const ContactProblem& problem, const RowLayout& rows, LoopRanges* ranges,
                          ContactLists<HostMemory>* lists) {
  const int n_env = problem.n_env();
  const std::int64_t n_row = ranges->back().first_row;
  env_.resize(n_env);
  lists->contact_slice.resize(n_row / kSliceRows);
  lists->multi_contact_begin.resize(n_row / kSliceRows + n_env);
  lists->coupled_count.resize(n_row);
  for_each_environment(n_env, 0, [&](int e) {
    LoopRange& range = (*ranges)[e];
    range.first_slice = range.first_row / kSliceRows;
    range.first_multi_contact_begin = range.first_slice + e;
    build_environment(problem, rows, e, &range, lists, &env_[e]);
  });
  ContactOffsets next;
  for (int e = 0; e <= n_env; ++e) {
    LoopRange& range = (*ranges)[e];
    next.first_slice = range.first_row / kSliceRows;
    next.first_multi_contact_begin = next.first_slice + e;
    static_cast<ContactOffsets&>(range) = next;
    if (e == n_env) break;
    const Environment& own = env_[e];
    next.first_slot += range.n_slot;
    next.first_multi_contact += static_cast<std::int64_t>(own.multi_contact.size());
    next.first_coupled_entry += static_cast<std::int64_t>(own.coupled_entry.size());
  }
  static_cast<ContactCounts&>(ranges->back()) = {};
  contact_of_slot_.resize(next.first_slot);
  lists->multi_contact.resize(next.first_multi_contact);
  lists->coupled_entry.resize(next.first_coupled_entry);
  for_each_environment(n_env, 0, [&](int e) {
    const LoopRange& range = (*ranges)[e];
    const Environment& own = env_[e];
    const auto put = [](const auto& from, std::int64_t first, auto* to) {
      std::copy(from.begin(), from.end(), to->begin() + first);
    };
    put(own.contact_of_slot, range.first_slot, &contact_of_slot_);
    put(own.multi_contact, range.first_multi_contact, &lists->multi_contact);
    put(own.coupled_entry, range.first_coupled_entry, &lists->coupled_entry);
  });
}

PairRoom ContactLayout::pair_room(std::int32_t n) {
  PairRoom room;
  room.n_pair = room.n_contact_node = n;
  room.n_coupled_slot = 4 * n;
  room.n_coupled_entry = 5 * n;
  return room;
}

void ContactLayout::reserve(const std::vector<std::int32_t>& multi_contact_room,
                            const std::vector<std::int32_t>& pair_room, LoopRanges* ranges) {
  ContactOffsets next;
  for (std::size_t e = 0; e < ranges->size(); ++e) {
    LoopRange& range = (*ranges)[e];
    next.first_slice = range.first_row / kSliceRows;
    next.first_multi_contact_begin = next.first_slice + static_cast<std::int64_t>(e);
    static_cast<ContactOffsets&>(range) = next;
    static_cast<ContactCounts&>(range) = {};
    if (e == multi_contact_room.size()) break;
    const PairRoom room = ContactLayout::pair_room(pair_room[e]);
    range.first_coupled_slot = range.first_contact_node_row + multi_contact_room[e];
    range.n_slot = range.first_coupled_slot + room.n_coupled_slot;
    next.first_slot += range.n_slot;
    next.first_multi_contact += multi_contact_room[e] / 2 + 2 * std::int64_t{room.n_pair};
    next.first_coupled_entry += room.n_coupled_entry;
  }
}

void ContactLayout::build_environment(const ContactProblem& problem, const RowLayout& rows, int e,
                                      LoopRange* range, ContactLists<HostMemory>* lists,
                                      Environment* own) {
  const std::vector<Contact<double>>& contacts = problem.contacts;
  const std::int32_t first_contact = problem.env_contact_begin[e],
                     end_contact = problem.env_contact_begin[e + 1];
  const auto row_of = [&](std::int32_t side) { return rows.side_row(problem, e, side); };
  const std::int32_t n_row =
      range->first_contact_node_row + problem.first_point(e + 1) - problem.first_point(e);
  static_cast<ContactCounts&>(*range) = {};
  std::vector<std::int32_t>& contact_of_slot = own->contact_of_slot;
  contact_of_slot.clear();
  own->multi_contact.clear();
  own->rows_share_contacts = false;
  const auto next_slot = [&] { return static_cast<std::int32_t>(contact_of_slot.size()); };
  const int n_slice = range->n_chunk * (kBlockLanes / kSliceRows);
  std::int32_t* contact_slice = lists->contact_slice.data() + range->first_slice;
  std::int32_t* slice_multi_contact =
      lists->multi_contact_begin.data() + range->first_multi_contact_begin;
  std::int32_t* coupled_count = lists->coupled_count.data() + range->first_row;
  std::fill_n(contact_slice, n_slice, -1);
  std::fill_n(slice_multi_contact, n_slice + 1, 0);
  std::fill_n(coupled_count, n_slice * kSliceRows, 0);

  // Lists the contacts of every row, both sides.
  std::vector<std::int32_t>&begin = own->begin, &of_row = own->contacts, &fill = own->fill;
  begin.assign(n_row + 1, 0);
  const auto for_sides = [&](auto&& visit) {
    for (std::int32_t m = first_contact; m < end_contact; ++m) {
      visit(row_of(contacts[m].side_i), m);
      if (contacts[m].side_j != kWorld) visit(row_of(contacts[m].side_j), m);
    }
  };
  for_sides([&](std::int32_t row, std::int32_t) { ++begin[row + 1]; });
  for (std::int32_t row = 0; row < n_row; ++row) begin[row + 1] += begin[row];
  of_row.resize(begin.back());
  fill.assign(begin.begin(), begin.end() - 1);
  for_sides([&](std::int32_t row, std::int32_t m) { of_row[fill[row]++] = m; });
  const auto count = [&](std::int32_t row) { return begin[row + 1] - begin[row]; };
  const auto coupled = [&](std::int32_t row) {
    return std::any_of(of_row.begin() + begin[row], of_row.begin() + begin[row + 1],
                       [&](std::int32_t m) { return contacts[m].side_j != kWorld; });
  };

  // Single contacts with the world get one index per row of their slices.
  for (std::int32_t row = 0; row < n_row; ++row) {
    if (count(row) > 1) own->rows_share_contacts = true;
    if (count(row) != 1 || coupled(row)) continue;
    std::int32_t& slice = contact_slice[row / kSliceRows];
    if (slice < 0) {
      slice = next_slot();
      contact_of_slot.resize(contact_of_slot.size() + kSliceRows, -1);
    }
    contact_of_slot[slice + row % kSliceRows] = of_row[begin[row]];
  }
  // Rows with several contacts with the world; coupled rows get their entries below.
  std::int32_t n_coupled_entry = 0;
  for (std::int32_t row = 0; row < n_row; ++row) {
    slice_multi_contact[row / kSliceRows + 1] +=
        count(row) > 1 || (count(row) == 1 && coupled(row));
    if (count(row) == 0) continue;
    if (coupled(row)) {
      own->multi_contact.push_back({row, n_coupled_entry, n_coupled_entry + count(row), 1});
      coupled_count[row] = count(row);
      n_coupled_entry += count(row);
    } else if (count(row) > 1) {
      own->multi_contact.push_back({row, next_slot(), next_slot() + count(row), 0});
      contact_of_slot.insert(contact_of_slot.end(), of_row.begin() + begin[row],
                             of_row.begin() + begin[row + 1]);
    }
  }
  for (int slice = 0; slice < n_slice; ++slice)
    slice_multi_contact[slice + 1] += slice_multi_contact[slice];

  // Two-body contacts: all contacts of a coupled row.
  range->first_coupled_slot = next_slot();
  fill.assign(n_row, -1);
  for (const MultiContactRow& row : own->multi_contact)
    if (row.coupled != 0) fill[row.row] = row.begin;
  own->coupled_entry.resize(n_coupled_entry);
  for (std::int32_t m = first_contact; m < end_contact; ++m) {
    const std::int32_t i = row_of(contacts[m].side_i);
    if (fill[i] < 0) continue;
    const std::int32_t slot = next_slot();
    contact_of_slot.push_back(m);
    own->coupled_entry[fill[i]++] = 2 * slot;
    if (contacts[m].side_j != kWorld)
      own->coupled_entry[fill[row_of(contacts[m].side_j)]++] = 2 * slot + 1;
  }
  range->n_coupled_slot = next_slot() - range->first_coupled_slot;
  while (next_slot() % kSliceRows != 0) contact_of_slot.push_back(-1);
  range->n_slot = next_slot();
}

}  // namespace nodia
