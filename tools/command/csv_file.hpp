/// Writes CSV files row by row.
#pragma once

#include <fstream>
#include <string>
#include <vector>

namespace nodia::cli {

/// A CSV file that flushes every row. After an interrupt or a crash it contains all finished rows.
class CsvFile {
 public:
  /// Creates the file, or empties an existing one, and writes the names of the columns.
  /// @throws RuntimeError if the file cannot be written
  CsvFile(const std::string& path, const std::vector<std::string>& columns);
  /// @throws RuntimeError if the file cannot be written
  void write(const std::vector<std::string>& cells);

 private:
  std::string path_;
  std::ofstream file_;
};

}  // namespace nodia::cli
