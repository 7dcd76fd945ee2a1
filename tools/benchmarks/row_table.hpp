/// Printed tables of a study's rows.
#pragma once

#include <fmt/format.h>

#include <string>

#include "tools/benchmarks/study.hpp"
#include "tools/command/text_table.hpp"

namespace nodia::cli {

/// Blanks between the columns of these tables.
inline constexpr std::size_t kRowGap = 1;

/// The value in words; "-" if it was not measured.
/// @param format  of a real number, e.g. "{:.2f}"; null: all digits
inline std::string shown(const studies::Row& value, const char* format = nullptr) {
  if (!studies::is_known(value) || value == "") return "-";
  if (value.is_string()) return value.get<std::string>();
  // A measured value may be a whole number, too.
  if (format != nullptr) return fmt::format(fmt::runtime(format), value.get<double>());
  return value.is_number_float() ? fmt::format("{}", value.get<double>())
                                 : fmt::format("{}", value.get<long>());
}

/// A column that shows one value of the rows.
inline Column<studies::Row> shows(const char* header, Align align, std::size_t width,
                                  const char* field, const char* format = nullptr) {
  return {header, align, width, "",
          [=](const studies::Row& row) { return shown(row.at(field), format); }};
}

}  // namespace nodia::cli
