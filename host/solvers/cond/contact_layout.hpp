/// Where the loop keeps contacts: the slots of kernels/vfpi/arrays/contacts.hpp.
#pragma once

#include "host/solvers/cond/row_layout.hpp"

namespace nodia {

/// A row is coupled when it is in a contact with another row. Within a group of slots the problem's
/// order is kept.
class ContactLayout {
 public:
  /// Fills the contacts' parts of `ranges`, and the lists.
  void build(const ContactProblem& problem, const RowLayout& rows, LoopRanges* ranges,
             ContactLists<HostMemory>* lists);

  /// Room for contacts that are made elsewhere, one for every row of A and `rare_room` of rows that
  /// have several: the contacts' parts of `ranges`.
  /// @param rare_room  per environment, multiples of kSliceRows
  static void reserve(const std::vector<std::int32_t>& rare_room, LoopRanges* ranges);

  /// The contact in a slot counted over all environments; -1: empty.
  std::int32_t contact_of_slot(std::int64_t slot) const { return contact_of_slot_[slot]; }
  /// Whether some row of an environment is in several contacts.
  bool rows_share_contacts(int env) const { return env_[env].rows_share_contacts; }

 private:
  /// An environment's lists, as in ContactLists; kept for their memory.
  struct Environment {
    std::vector<std::int32_t> contact_of_slot, coupled_row, coupled_begin, coupled_entry;
    std::vector<RareRow> rare;
    std::vector<std::int32_t> begin, contacts, fill;  ///< contacts of each row, ascending
    bool rows_share_contacts = false;
  };

  static void build_environment(const ContactProblem& problem, const RowLayout& rows, int e,
                                LoopRange* range, ContactLists<HostMemory>* lists,
                                Environment* own);

  std::vector<std::int32_t> contact_of_slot_;
  std::vector<Environment> env_;
};

}  // namespace nodia
