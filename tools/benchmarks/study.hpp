/// Studies: cases, solvers and rules are measured, and every combination becomes one row.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace nodia::studies {

/// Declares one value of the rows of a study. Names are a contract: add, never rename.
struct Field {
  std::string name;  ///< key of JSON objects and column of CSV files
  std::string unit;  ///< "-" without one, "text" for words
  std::string meaning;
};
using Fields = std::vector<Field>;

/// Values of one measurement by the names of its fields, in their order: numbers, texts, truth
/// values. A value that was not measured is null, NaN or infinite; JSON writes null.
using Row = nlohmann::ordered_json;

/// A row without measurements: texts are empty, other values are null. Its `at()` rejects a name
/// that is no field.
Row empty_row(const Fields& fields);

/// True for texts, truth values and finite numbers.
bool is_known(const Row& value);

/// Cells of a CSV line in the order of the fields. A value that was not measured is empty.
std::vector<std::string> csv_cells(const Row& row);

/// Names of the fields: the first line of a CSV file.
std::vector<std::string> csv_names(const Row& row);

/// Rows with the fields that they have.
struct Table {
  Fields fields;
  std::vector<Row> rows;

  /// Adds a row. @param values  of the first fields, in their order
  void add(const std::vector<Row>& values);
};

}  // namespace nodia::studies
