/// A column of a contact record, by its name.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "host/simulation/contact_quantities.hpp"

namespace nodia::test {

/// @return the values, empty with a failure if the record has no such column
template <class T>
std::vector<T> contact_column(const ContactRecord& record, const std::string& name) {
  for (const ContactRecord::Column& column : record.columns)
    if (name == column.name) return std::get<std::vector<T>>(column.values);
  ADD_FAILURE() << "no column " << name;
  return {};
}

}  // namespace nodia::test
