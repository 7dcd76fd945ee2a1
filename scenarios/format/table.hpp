/// Tables of numbers in text files.
#pragma once

#include <string>
#include <vector>

namespace nodia {

/// Values of a table, row by row.
struct Table {
  std::size_t n_column = 0;
  std::vector<double> values;  ///< [n_row * n_column]

  std::size_t n_row() const { return values.size() / n_column; }
  const double* row(std::size_t k) const { return values.data() + k * n_column; }
};

/// Reads rows of `n_column` finite numbers, separated by blanks, tabs or commas; '#' begins a
/// comment; lines without a number are no rows.
/// @throws InputError `file:line: ...`; a table without rows is one too
Table read_table(const std::string& path, std::size_t n_column);

}  // namespace nodia
