/// Where the loop keeps contacts: the slots of kernels/vfpi/environment.hpp.
#pragma once

#include "host/solvers/cond/row_layout.hpp"
#include "kernels/vfpi/environment.hpp"

namespace nodia {

/// An environment's part of the arrays.
struct SlotRange {
  std::int64_t first_slot = 0;
  std::int32_t n_slot = 0;  ///< a multiple of kSliceRows
  std::int64_t first_rare = 0;
  std::int64_t first_coupled_row = 0;  ///< in coupled_row; in coupled_begin plus the environment
  std::int64_t first_coupled_entry = 0;
  std::int32_t n_coupled_row = 0;
  std::int32_t first_coupled_slot = 0;  ///< counted from first_slot
  std::int32_t n_coupled_slot = 0;
  bool several = false;  ///< some row is in several contacts
};

/// A row is coupled when it is in a contact with another row. Within a group of slots the problem's
/// order is kept. Rows and slots are counted from their environment's first.
struct ContactLayout {
  std::vector<SlotRange> env;
  std::int64_t n_slot = 0;
  AlignedVector<std::int32_t> contact_of_slot;  ///< [n_slot], -1: empty
  AlignedVector<std::int32_t> contact_slice;    ///< per slice of rows
  AlignedVector<RareRow> rare;
  AlignedVector<std::int32_t> rare_begin;  ///< like RowLayout::slice_begin
  AlignedVector<std::int32_t> coupled_row, coupled_begin, coupled_entry;
  AlignedVector<std::int32_t> coupled_count;  ///< per row

  void build(const ContactProblem& problem, const RowLayout& rows);

 private:
  struct RowContacts;
  void build_environment(const ContactProblem& problem, const RowLayout& rows, int e);

  std::vector<std::int32_t> begin_, contacts_;  ///< contacts of each row, ascending
};

}  // namespace nodia
