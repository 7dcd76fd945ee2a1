/// Orders contacts for the loop by the indices of kernels/vfpi/arrays/contacts.hpp.
#pragma once

#include "host/step/row_layout.hpp"
#include "kernels/step/pair_contacts.hpp"

namespace nodia {

/// A row is coupled if it has a contact with another row. Groups keep the problem's order.
class ContactLayout {
 public:
  /// Fills the contact ranges of `ranges`, and the lists.
  void build(const ContactProblem& problem, const RowLayout& rows, LoopRanges* ranges,
             ContactLists<HostMemory>* lists);

  /// Reserves room for contacts that a device generates: one for every row of A,
  /// `multi_contact_room` for rows with several contacts, and `pair_room` for pairs. Sets the
  /// contact ranges of `ranges`.
  /// @param multi_contact_room  per environment, multiples of kSliceRows
  /// @param pair_room  per environment, multiples of kSliceRows: PairRoom::n_contact_node
  static void reserve(const std::vector<std::int32_t>& multi_contact_room,
                      const std::vector<std::int32_t>& pair_room, LoopRanges* ranges);
  /// Room of one environment. @param n  its pair_room; the caller sets first_contact_node
  static PairRoom pair_room(std::int32_t n);

  /// Contact at an index counted over all environments; -1 if it is empty.
  std::int32_t contact_of_slot(std::int64_t slot) const { return contact_of_slot_[slot]; }
  /// True if a row of the environment is in several contacts.
  bool rows_share_contacts(int env) const { return env_[env].rows_share_contacts; }

 private:
  /// Lists of one environment, see ContactLists; a member to reuse the memory.
  struct Environment {
    std::vector<std::int32_t> contact_of_slot, coupled_entry;
    std::vector<MultiContactRow> multi_contact;
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
