/// Table of the quantities of a contact that trajectories, datasets and Python contain. A new
/// quantity is one row: every writer and reader loops over the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "host/simulation/simulation.hpp"

namespace nodia {

/// A contact of a step with its force.
struct SolvedContact {
  const Contact<double>& contact;
  Vec3d lambda;  ///< contact frame [N]
  ContactState state;
  const ContactSides& sides;
  const Objects& objects;
};

template <class T>
using ContactFunction = T (*)(const SolvedContact&);

/// A quantity of a contact. The type of its value is the result of its function; a vector is in
/// the world frame.
struct ContactQuantity {
  // Names in each record, null if the record does not contain the quantity.
  const char* in_trajectory;  ///< dataset of the group nodia/contacts
  const char* in_dataset;     ///< array of the group contacts
  const char* in_python;      ///< attribute of nodia.Contacts
  const char* unit;
  const char* meaning;
  std::variant<ContactFunction<double>, ContactFunction<Vec3d>, ContactFunction<std::uint8_t>,
               ContactFunction<std::int32_t>>
      value;

  /// Shape, meaning and unit, "(n, 3) force of j on i [N]".
  std::string text() const;
};
std::span<const ContactQuantity> contact_quantities();

/// Names in one of the records.
using ContactNames = const char* ContactQuantity::*;

/// Quantities of the contacts of a step.
struct ContactRecord {
  using Values = std::variant<std::vector<double>, std::vector<Vec3d>, std::vector<std::uint8_t>,
                              std::vector<std::int32_t>>;
  struct Column {
    const char* name;
    const ContactQuantity* quantity;
    Values values;  ///< [n_contact]
  };
  std::vector<Column> columns;  ///< in the order of the table; may be absent without contacts

  std::size_t n_contact() const;
  std::size_t bytes_per_contact() const;
};

/// Record without contacts: a column for each quantity that has a name.
ContactRecord empty_contact_record(ContactNames names);
/// @param objects  of the scene
ContactRecord contact_record(const StepContactsView& contacts, const Objects& objects,
                             ContactNames names);

}  // namespace nodia
