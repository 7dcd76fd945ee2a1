/// Where the loop keeps contacts: the slots of kernels/vfpi/arrays/contacts.hpp.
#pragma once

#include "host/step/row_layout.hpp"
#include "kernels/step/pair_contacts.hpp"

namespace nodia {

/// A row is coupled when it is in a contact with another row. Within a group of slots the problem's
/// order is kept.
class ContactLayout {
 public:
  /// Fills the contacts' parts of `ranges`, and the lists.
  void build(const ContactProblem& problem, const RowLayout& rows, LoopRanges* ranges,
             ContactLists<HostMemory>* lists);

  /// Room for contacts that are made elsewhere: one for every row of A, `rare_room` of rows that
  /// have several, and what pairs ask for. The contacts' parts of `ranges`.
  /// @param rare_room  per environment, multiples of kSliceRows
  /// @param pair_room  per environment, likewise: PairRoom::n_virtual
  static void reserve(const std::vector<std::int32_t>& rare_room,
                      const std::vector<std::int32_t>& pair_room, LoopRanges* ranges);
  /// Of an environment. @param n  of pair_room; first_virtual is left to the caller
  static PairRoom pair_room(std::int32_t n);

  /// The contact in a slot counted over all environments; -1: empty.
  std::int32_t contact_of_slot(std::int64_t slot) const { return contact_of_slot_[slot]; }
  /// Whether some row of an environment is in several contacts.
  bool rows_share_contacts(int env) const { return env_[env].rows_share_contacts; }

 private:
  /// An environment's lists, as in ContactLists; kept for their memory.
  struct Environment {
    std::vector<std::int32_t> contact_of_slot, coupled_entry;
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
