#include "host/solvers/cond/contact_layout.hpp"

#include <algorithm>

namespace nodia {

void ContactLayout::build(const ContactProblem& problem, const RowLayout& rows, LoopRanges* ranges,
                          ContactLists<HostMemory>* lists) {
  const int n_env = problem.n_env();
  const std::int64_t n_row = ranges->back().first_row;
  rows_share_contacts_.assign(n_env, 0);
  contact_of_slot_.clear();
  lists->contact_slice.assign(n_row / kSliceRows, -1);
  lists->rare.clear();
  lists->rare_begin.assign(n_row / kSliceRows + n_env, 0);
  lists->coupled_row.clear();
  lists->coupled_begin.clear();
  lists->coupled_entry.clear();
  lists->coupled_count.assign(n_row, 0);
  for (int e = 0; e <= n_env; ++e) {
    LoopRange& range = (*ranges)[e];
    static_cast<ContactCounts&>(range) = {};
    range.first_slot = static_cast<std::int64_t>(contact_of_slot_.size());
    range.first_slice = range.first_row / kSliceRows;
    range.first_rare_begin = range.first_slice + e;
    range.first_rare = static_cast<std::int64_t>(lists->rare.size());
    range.first_coupled_row = static_cast<std::int64_t>(lists->coupled_row.size());
    range.first_coupled_begin = range.first_coupled_row + e;
    range.first_coupled_entry = static_cast<std::int64_t>(lists->coupled_entry.size());
    if (e < n_env) build_environment(problem, rows, e, &range, lists);
  }
}

void ContactLayout::build_environment(const ContactProblem& problem, const RowLayout& rows, int e,
                                      LoopRange* range, ContactLists<HostMemory>* lists) {
  const std::vector<Contact<double>>& contacts = problem.contacts;
  const std::int32_t first_contact = problem.env_contact_begin[e],
                     end_contact = problem.env_contact_begin[e + 1];
  const auto row_of = [&](std::int32_t side) { return rows.side_row(problem, e, side); };
  const std::int32_t n_row =
      range->first_virtual_row + problem.first_point(e + 1) - problem.first_point(e);
  const auto next_slot = [&] {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(contact_of_slot_.size()) -
                                     range->first_slot);
  };

  // Contacts of every row, both sides.
  begin_.assign(n_row + 1, 0);
  const auto for_sides = [&](auto&& visit) {
    for (std::int32_t m = first_contact; m < end_contact; ++m) {
      visit(row_of(contacts[m].side_i), m);
      if (contacts[m].side_j != kWorld) visit(row_of(contacts[m].side_j), m);
    }
  };
  for_sides([&](std::int32_t row, std::int32_t) { ++begin_[row + 1]; });
  for (std::int32_t row = 0; row < n_row; ++row) begin_[row + 1] += begin_[row];
  contacts_.resize(begin_.back());
  fill_.assign(begin_.begin(), begin_.end() - 1);
  for_sides([&](std::int32_t row, std::int32_t m) { contacts_[fill_[row]++] = m; });
  const auto count = [&](std::int32_t row) { return begin_[row + 1] - begin_[row]; };
  const auto coupled = [&](std::int32_t row) {
    return std::any_of(contacts_.begin() + begin_[row], contacts_.begin() + begin_[row + 1],
                       [&](std::int32_t m) { return contacts[m].side_j != kWorld; });
  };

  // Single world contacts, a slot per row of their slices.
  std::int32_t* contact_slice = lists->contact_slice.data() + range->first_slice;
  for (std::int32_t row = 0; row < n_row; ++row) {
    if (count(row) > 1) rows_share_contacts_[e] = 1;
    if (count(row) != 1 || coupled(row)) continue;
    std::int32_t& slice = contact_slice[row / kSliceRows];
    if (slice < 0) {
      slice = next_slot();
      contact_of_slot_.resize(contact_of_slot_.size() + kSliceRows, -1);
    }
    contact_of_slot_[range->first_slot + slice + row % kSliceRows] = contacts_[begin_[row]];
  }
  // Several world contacts; coupled rows get their entries below.
  std::int32_t n_coupled_entry = 0;
  std::int32_t* slice_rare = lists->rare_begin.data() + range->first_rare_begin;
  for (std::int32_t row = 0; row < n_row; ++row) {
    slice_rare[row / kSliceRows + 1] += count(row) > 1 || (count(row) == 1 && coupled(row));
    if (count(row) == 0) continue;
    if (coupled(row)) {
      lists->rare.push_back({row, n_coupled_entry, n_coupled_entry + count(row), 1});
      lists->coupled_row.push_back(row);
      lists->coupled_begin.push_back(n_coupled_entry);
      lists->coupled_count[range->first_row + row] = count(row);
      n_coupled_entry += count(row);
    } else if (count(row) > 1) {
      lists->rare.push_back({row, next_slot(), next_slot() + count(row), 0});
      contact_of_slot_.insert(contact_of_slot_.end(), contacts_.begin() + begin_[row],
                              contacts_.begin() + begin_[row + 1]);
    }
  }
  for (int slice = 0; slice < range->n_chunk * (kBlockLanes / kSliceRows); ++slice)
    slice_rare[slice + 1] += slice_rare[slice];
  lists->coupled_begin.push_back(n_coupled_entry);
  range->n_coupled_row = static_cast<std::int32_t>(
      static_cast<std::int64_t>(lists->coupled_row.size()) - range->first_coupled_row);

  // Coupled contacts: everything that a coupled row is in.
  range->first_coupled_slot = next_slot();
  fill_.assign(n_row, -1);
  for (std::int32_t k = 0; k < range->n_coupled_row; ++k)
    fill_[lists->coupled_row[range->first_coupled_row + k]] =
        lists->coupled_begin[range->first_coupled_begin + k];
  lists->coupled_entry.resize(range->first_coupled_entry + n_coupled_entry);
  for (std::int32_t m = first_contact; m < end_contact; ++m) {
    const std::int32_t i = row_of(contacts[m].side_i);
    if (fill_[i] < 0) continue;
    const std::int32_t slot = next_slot();
    contact_of_slot_.push_back(m);
    lists->coupled_entry[range->first_coupled_entry + fill_[i]++] = 2 * slot;
    if (contacts[m].side_j != kWorld)
      lists->coupled_entry[range->first_coupled_entry + fill_[row_of(contacts[m].side_j)]++] =
          2 * slot + 1;
  }
  range->n_coupled_slot = next_slot() - range->first_coupled_slot;
  while (next_slot() % kSliceRows != 0) contact_of_slot_.push_back(-1);
  range->n_slot = next_slot();
}

}  // namespace nodia
