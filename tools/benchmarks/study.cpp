#include "tools/benchmarks/study.hpp"

#include <fmt/format.h>

#include <cmath>

namespace nodia::studies {
namespace {

std::string csv_cell(const Row& value) {
  if (!is_known(value)) return "";
  if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
}

}  // namespace

Row empty_row(const Fields& fields) {
  Row row = Row::object();
  for (const Field& field : fields) row[field.name] = field.unit == "text" ? Row("") : Row();
  return row;
}

bool is_known(const Row& value) {
  return !value.is_null() && !(value.is_number_float() && !std::isfinite(value.get<double>()));
}

std::vector<std::string> csv_cells(const Row& row) {
  std::vector<std::string> cells;
  for (const auto& [name, value] : row.items()) cells.push_back(csv_cell(value));
  return cells;
}

std::vector<std::string> csv_names(const Row& row) {
  std::vector<std::string> names;
  for (const auto& [name, value] : row.items()) names.push_back(name);
  return names;
}

void Table::add(const std::vector<Row>& values) {
  rows.push_back(empty_row(fields));
  for (std::size_t k = 0; k < values.size(); ++k) rows.back().at(fields.at(k).name) = values[k];
}

}  // namespace nodia::studies
