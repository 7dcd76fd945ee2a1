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

/// A table whose first line names its columns.
struct NamedTable {
  std::vector<std::string> columns;  ///< as they stand in the file
  int line = 0;                      ///< of the names, from 1
  Table table;
  std::vector<int> lines;  ///< of each row, from 1
};

/// Reads the line of the names, with commas between them, and then rows as read_table.
/// @throws InputError as read_table
NamedTable read_named_table(const std::string& path);

}  // namespace nodia
