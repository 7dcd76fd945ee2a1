#include "host/solvers/cond/contact_layout.hpp"

#include <algorithm>

namespace nodia {

void ContactLayout::build(const ContactProblem& problem, const RowLayout& rows) {
  env.assign(problem.n_env(), {});
  contact_of_slot.clear();
  contact_slice.assign(rows.n_row / kSliceRows, -1);
  rare.clear();
  rare_begin.assign(rows.slice_begin.size(), 0);
  coupled_row.clear();
  coupled_begin.clear();
  coupled_entry.clear();
  coupled_count.assign(rows.n_row, 0);
  for (int e = 0; e < problem.n_env(); ++e) build_environment(problem, rows, e);
  n_slot = static_cast<std::int64_t>(contact_of_slot.size());
}

void ContactLayout::build_environment(const ContactProblem& problem, const RowLayout& rows, int e) {
  const RowRange& range = rows.env[e];
  SlotRange& slots = env[e];
  slots.first_slot = static_cast<std::int64_t>(contact_of_slot.size());
  slots.first_rare = static_cast<std::int64_t>(rare.size());
  slots.first_coupled_row = static_cast<std::int64_t>(coupled_row.size());
  slots.first_coupled_entry = static_cast<std::int64_t>(coupled_entry.size());

  const std::vector<Contact<double>>& contacts = problem.contacts;
  const std::int32_t first_contact = problem.env_contact_begin[e],
                     end_contact = problem.env_contact_begin[e + 1];
  const auto row_of = [&](std::int32_t side) { return rows.side_row(problem, e, side); };
  const std::int32_t n_row =
      range.first_virtual_row + problem.first_point(e + 1) - problem.first_point(e);
  const auto next_slot = [&] {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(contact_of_slot.size()) -
                                     slots.first_slot);
  };

  // Contacts of every row, both sides.
  begin_.assign(n_row + 1, 0);
  const auto for_sides = [&](auto&& visit) {
    for (std::int32_t m = first_contact; m < end_contact; ++m) {
      visit(row_of(contacts[m].node_i), m);
      if (contacts[m].node_j != kWorld) visit(row_of(contacts[m].node_j), m);
    }
  };
  for_sides([&](std::int32_t row, std::int32_t) { ++begin_[row + 1]; });
  for (std::int32_t row = 0; row < n_row; ++row) begin_[row + 1] += begin_[row];
  contacts_.resize(begin_.back());
  std::vector<std::int32_t> fill(begin_.begin(), begin_.end() - 1);
  for_sides([&](std::int32_t row, std::int32_t m) { contacts_[fill[row]++] = m; });
  const auto count = [&](std::int32_t row) { return begin_[row + 1] - begin_[row]; };
  const auto coupled = [&](std::int32_t row) {
    return std::any_of(contacts_.begin() + begin_[row], contacts_.begin() + begin_[row + 1],
                       [&](std::int32_t m) { return contacts[m].node_j != kWorld; });
  };

  // Single world contacts, a slot per row of their slices.
  for (std::int32_t row = 0; row < n_row; ++row) {
    slots.several = slots.several || count(row) > 1;
    if (count(row) != 1 || coupled(row)) continue;
    std::int32_t& slice = contact_slice[range.first_row / kSliceRows + row / kSliceRows];
    if (slice < 0) {
      slice = next_slot();
      contact_of_slot.resize(contact_of_slot.size() + kSliceRows, -1);
    }
    contact_of_slot[slots.first_slot + slice + row % kSliceRows] = contacts_[begin_[row]];
  }
  // Several world contacts; coupled rows get their entries below.
  std::int32_t n_coupled_entry = 0;
  std::int32_t* slice_rare = rare_begin.data() + range.first_slice;
  for (std::int32_t row = 0; row < n_row; ++row) {
    slice_rare[row / kSliceRows + 1] += count(row) > 1 || (count(row) == 1 && coupled(row));
    if (count(row) == 0) continue;
    if (coupled(row)) {
      rare.push_back({row, n_coupled_entry, n_coupled_entry + count(row), 1});
      coupled_row.push_back(row);
      coupled_begin.push_back(n_coupled_entry);
      coupled_count[range.first_row + row] = count(row);
      n_coupled_entry += count(row);
    } else if (count(row) > 1) {
      rare.push_back({row, next_slot(), next_slot() + count(row), 0});
      contact_of_slot.insert(contact_of_slot.end(), contacts_.begin() + begin_[row],
                             contacts_.begin() + begin_[row + 1]);
    }
  }
  for (int slice = 0; slice < range.n_chunk * (kBlockLanes / kSliceRows); ++slice)
    slice_rare[slice + 1] += slice_rare[slice];
  coupled_begin.push_back(n_coupled_entry);
  slots.n_coupled_row = static_cast<std::int32_t>(static_cast<std::int64_t>(coupled_row.size()) -
                                                  slots.first_coupled_row);

  // Coupled contacts: everything that a coupled row is in.
  slots.first_coupled_slot = next_slot();
  fill.assign(n_row, -1);
  for (std::int32_t k = 0; k < slots.n_coupled_row; ++k)
    fill[coupled_row[slots.first_coupled_row + k]] = coupled_begin[slots.first_coupled_row + e + k];
  coupled_entry.resize(slots.first_coupled_entry + n_coupled_entry);
  for (std::int32_t m = first_contact; m < end_contact; ++m) {
    const std::int32_t i = row_of(contacts[m].node_i);
    if (fill[i] < 0) continue;
    const std::int32_t slot = next_slot();
    contact_of_slot.push_back(m);
    coupled_entry[slots.first_coupled_entry + fill[i]++] = 2 * slot;
    if (contacts[m].node_j != kWorld)
      coupled_entry[slots.first_coupled_entry + fill[row_of(contacts[m].node_j)]++] = 2 * slot + 1;
  }
  slots.n_coupled_slot = next_slot() - slots.first_coupled_slot;
  while (next_slot() % kSliceRows != 0) contact_of_slot.push_back(-1);
  slots.n_slot = next_slot();
}

}  // namespace nodia
