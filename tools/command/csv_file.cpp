#include "tools/command/csv_file.hpp"

#include <fmt/format.h>

#include "kernels/core/error.hpp"

namespace nodia::cli {
namespace {

/// Text of a cell, in quotes if it contains a comma, a quote or a line break.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

CsvFile::CsvFile(const std::string& path, const std::vector<std::string>& columns)
    : path_(path), file_(path) {
  write(columns);
}

void CsvFile::write(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + csv_field(cell);
  file_ << line << '\n' << std::flush;
  if (!file_) throw RuntimeError(fmt::format("{}: cannot be written", path_));
}

}  // namespace nodia::cli
