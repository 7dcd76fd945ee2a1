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
/// @param format  of a number, e.g. "{:.2f}"
inline std::string shown(const studies::Row& value, const char* format = "{}") {
  if (!studies::is_known(value) || value == "") return "-";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format(fmt::runtime(format), value.get<double>())
                                 : fmt::format(fmt::runtime(format), value.get<long>());
}

/// A column that shows one value of the rows.
inline Column<studies::Row> shows(const char* header, Align align, std::size_t width,
                                  const char* field, const char* format = "{}") {
  return {header, align, width, "",
          [=](const studies::Row& row) { return shown(row.at(field), format); }};
}

}  // namespace nodia::cli
