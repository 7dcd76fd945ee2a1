/// Tables that are written row by row to standard output and to a CSV file. One list of columns
/// defines the header line, the cells of a row and the help.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/command/csv_file.hpp"

namespace nodia::cli {

enum class Align { left, right };

/// A column of a table. A cell that is wider than its column shifts the rest of the line.
template <class Row>
struct Column {
  std::string name;  ///< header
  Align align = Align::right;
  std::size_t width = 0;  ///< [characters]
  std::string meaning;    ///< one line of the help, with the unit
  std::function<std::string(const Row&)> cell;
};

template <class Row>
using Columns = std::vector<Column<Row>>;

/// Prints one line of a table and flushes it, such that it is not lost if the process is killed.
/// @param gap  number of blanks between two columns
template <class Row, class Text>
void print_line(const Columns<Row>& columns, std::size_t gap, const Text& text_of) {
  std::string line;
  for (const Column<Row>& column : columns) {
    const std::string text = text_of(column);
    line += column.align == Align::left ? fmt::format("{:<{}}", text, column.width)
                                        : fmt::format("{:>{}}", text, column.width);
    line.append(gap, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

template <class Row>
void print_header(const Columns<Row>& columns, std::size_t gap = 2) {
  print_line(columns, gap, [](const Column<Row>& column) { return column.name; });
}

template <class Row>
void print_row(const Columns<Row>& columns, const Row& row, std::size_t gap = 2) {
  print_line(columns, gap, [&](const Column<Row>& column) { return column.cell(row); });
}

/// A table that prints each row and writes it to a CSV file immediately.
template <class Row>
class RowTable {
 public:
  /// @param printed  print the table on standard output
  /// @param csv      path of the CSV file; empty: none
  /// @throws RuntimeError if the file cannot be written
  RowTable(Columns<Row> columns, bool printed, const std::string& csv)
      : columns_(std::move(columns)), printed_(printed) {
    if (!csv.empty())
      csv_.emplace(csv, cells([](const Column<Row>& column) { return column.name; }));
  }

  void print_header() const {
    if (printed_) cli::print_header(columns_);
  }
  /// @throws RuntimeError if the file cannot be written
  void add(const Row& row) {
    if (csv_) csv_->write(cells([&](const Column<Row>& column) { return column.cell(row); }));
    if (printed_) print_row(columns_, row);
  }

 private:
  template <class Text>
  std::vector<std::string> cells(const Text& text_of) const {
    std::vector<std::string> all;
    for (const Column<Row>& column : columns_) all.push_back(text_of(column));
    return all;
  }

  Columns<Row> columns_;
  bool printed_;
  std::optional<CsvFile> csv_;
};

/// Adds the meaning of every column to the help of a verb, before its examples.
/// @param title  e.g. "Columns of the table"
template <class Row>
void explain_columns(CLI::App& verb, const std::string& title, const Columns<Row>& columns) {
  std::string text = title + ":\n";
  for (const Column<Row>& column : columns)
    text += fmt::format("  {:<27} {}\n", column.name, column.meaning);
  verb.footer(text + "\n" + verb.get_footer());
}

}  // namespace nodia::cli
