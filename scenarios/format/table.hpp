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

/// Reads rows of `n_column` finite numbers. Blanks, tabs or commas separate the numbers; '#' starts
/// a comment; blank lines are ignored.
/// @throws InputError `file:line: ...` for a bad line, and for a table without rows
Table read_table(const std::string& path, std::size_t n_column);

/// A table whose first line names the columns.
struct NamedTable {
  std::vector<std::string> columns;  ///< names in the order of the file
  int line = 0;                      ///< line number of the names, from 1
  Table table;
  std::vector<int> lines;  ///< line number of each row, from 1
};

/// Reads a line of names, separated by commas, and then rows like read_table().
/// @throws InputError like read_table()
NamedTable read_named_table(const std::string& path);

}  // namespace nodia
