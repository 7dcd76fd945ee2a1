/// Contact arrays of the loop. A slice of rows with one world contact each owns kSliceRows contact
/// indices, one per row; a row without contact has an empty one. Contacts of rows with several
/// world contacts follow, then two-body contacts.
#pragma once

#include "kernels/contact/contact.hpp"
#include "kernels/vfpi/arrays/rows.hpp"

namespace nodia {

/// Columns of one slice of world contacts, kSliceRows values each.
enum ContactPlane : int {
  kPlaneR = 0,  ///< row by row
  kPlanePhi = 9,
  kPlaneMu = 12,  ///< mu1, mu2
  kContactPlanes = 14
};

/// Row with several contacts: several world contacts, or two-body contacts.
struct MultiContactRow {
  std::int32_t row = 0;
  /// Contact indices; of a row with two-body contacts: entries of coupled_entry.
  std::int32_t begin = 0, end = 0;
  std::int32_t coupled = 0;  ///< 1: the row has two-body contacts
};

/// Contact cases that a one-pass iteration has to support.
enum class ContactCase : std::uint8_t {
  general,
  common  ///< no row with several contacts, isotropic friction, strict projection
};

struct ContactCounts {
  std::int32_t n_slot = 0;  ///< a multiple of kSliceRows
  std::int32_t first_coupled_slot = 0, n_coupled_slot = 0;
};

struct ContactOffsets {
  std::int64_t first_slot = 0;  ///< a multiple of kSliceRows
  std::int64_t first_slice = 0;
  std::int64_t first_multi_contact_begin = 0, first_multi_contact = 0;
  std::int64_t first_coupled_entry = 0;
};

/// Rows and contact indices count from the first of their environment.
template <class Space>
struct ContactLists {
  template <class T>
  using Out = typename Space::template Out<T>;

  Out<std::int32_t> contact_slice{};        ///< per slice of rows: its first contact index, or -1
  Out<std::int32_t> multi_contact_begin{};  ///< [n_slice + 1] into multi_contact
  Out<MultiContactRow> multi_contact{};
  Out<std::int32_t> coupled_entry{};  ///< 2 contact index + (1 if the row is side_j)
  Out<std::int32_t> coupled_count{};  ///< per row: contacts if one is a two-body contact, else 0

  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    using O = ContactOffsets;
    constexpr Written kContacts = Written::contacts;
    f(Field<O>{"contact_slice", kContacts, &O::first_slice}, g.contact_slice...);
    f(Field<O>{"multi_contact_begin", kContacts, &O::first_multi_contact_begin},
      g.multi_contact_begin...);
    f(Field<O>{"multi_contact", kContacts, &O::first_multi_contact}, g.multi_contact...);
    f(Field<O>{"coupled_entry", kContacts, &O::first_coupled_entry}, g.coupled_entry...);
    f(Field<RowOffsets>{"coupled_count", kContacts, &RowOffsets::first_row}, g.coupled_count...);
  }
};

template <class Precision, class Space>
struct ContactValues {
  using Real = typename Precision::Real;
  template <class T>
  using Out = typename Space::template Out<T>;

  Out<Real> contact_plane{};     ///< kContactPlanes kSliceRows values per kSliceRows contacts
  Out<Contact<Real>> contact{};  ///< per contact index, nodes as rows; side_i = kWorld: empty
  Out<double> compliance{};  ///< per contact index, the largest of three axes plus omega [m/(N s)]
  Out<Real> lambda{};        ///< per contact index, kNodeStride scalars each [N]
  Out<Real> best_lambda{};   ///< lambda of `best` [N]

  template <class F, class... Group>
  static void each(const F& f, Group&... g) {
    using O = ContactOffsets;
    constexpr Written kContacts = Written::contacts;
    f(Field<O>{"contact_plane", kContacts, &O::first_slot, kContactPlanes}, g.contact_plane...);
    f(Field<O>{"contact", kContacts, &O::first_slot}, g.contact...);
    f(Field<O>{"compliance", kContacts, &O::first_slot}, g.compliance...);
    f(Field<O>{"lambda", kContacts, &O::first_slot, kNodeStride}, g.lambda...);
    f(Field<O>{"best_lambda", Written::by_loop, &O::first_slot, kNodeStride}, g.best_lambda...);
  }
};

}  // namespace nodia
