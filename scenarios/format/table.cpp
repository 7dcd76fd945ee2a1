#include "scenarios/format/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "kernels/core/error.hpp"
#include "kernels/core/input_file.hpp"
#include "kernels/core/key.hpp"
#include "kernels/core/number.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {
namespace {

constexpr std::uintmax_t kMostTableBytes = std::uintmax_t{1} << 30;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";  // some spreadsheets write it
constexpr std::string_view kBlank = " \t\r";

/// Removes the next word from a line and returns it. Empty at the end of the line and between two
/// commas.
/// @param comma  out: true if a comma follows the word
std::string_view next_word(std::string_view* line, bool* comma) {
  line->remove_prefix(std::min(line->find_first_not_of(kBlank), line->size()));
  const std::string_view word = line->substr(0, line->find_first_of(" \t\r,"));
  line->remove_prefix(word.size());
  line->remove_prefix(std::min(line->find_first_not_of(kBlank), line->size()));
  *comma = !line->empty() && line->front() == ',';
  if (*comma) line->remove_prefix(1);
  return word;
}

/// Iterates over the lines of a table that are not blank.
class TableLines {
 public:
  explicit TableLines(std::string path) : path_(std::move(path)) {
    namespace fs = std::filesystem;
    std::error_code code;
    const fs::file_status status = fs::status(path_, code);
    if (!fs::exists(status) || !fs::is_regular_file(status))
      require_readable_file(path_, "a table of numbers");
    if (fs::file_size(path_, code) > kMostTableBytes)
      throw InputError(fmt::format("{}: larger than {} bytes", path_, kMostTableBytes));
    file_.open(path_, std::ios::binary);
  }

  const std::string& path() const { return path_; }
  int line() const { return line_; }                     ///< line number, from 1
  std::string_view content() const { return content_; }  ///< text of the line without its comment

  /// Reads the next line. @return false at the end of the file
  /// @throws InputError if the file cannot be read
  bool next() {
    while (std::getline(file_, text_)) {
      if (++line_ == 1 && text_.starts_with(kByteOrderMark)) text_.erase(0, kByteOrderMark.size());
      content_ = std::string_view(text_).substr(0, text_.find('#'));
      if (content_.find_first_not_of(kBlank) != std::string_view::npos) return true;
    }
    if (file_.bad()) throw InputError(fmt::format("{}: cannot be read", path_));
    return false;
  }

 private:
  std::string path_;
  std::ifstream file_;
  int line_ = 0;
  std::string text_;
  std::string_view content_;
};

/// Appends the numbers of the line as a row.
void add_row(const TableLines& lines, Table* table) {
  const auto refuse = [&](const std::string& message) {
    throw InputError(fmt::format("{}:{}: {}", lines.path(), lines.line(), message));
  };
  std::string_view rest = lines.content();
  std::size_t n = 0;
  for (bool comma = true; comma || !rest.empty(); ++n) {
    const std::string_view word = next_word(&rest, &comma);
    const std::optional<double> value = parse_real(word);
    if (!value)
      refuse(fmt::format("{} (must be a finite number; column {} of {})",
                         shown(yaml_plain(std::string(word))), n + 1, table->n_column));
    table->values.push_back(*value);
  }
  if (n != table->n_column)
    refuse(fmt::format("{} numbers (must be {} in every row)", n, table->n_column));
}

void require_rows(const std::string& path, const Table& table) {
  if (table.values.empty())
    throw InputError(
        fmt::format("{}: no row (must have rows of {} numbers)", path, table.n_column));
}

}  // namespace

Table read_table(const std::string& path, std::size_t n_column) {
  Table table{n_column, {}};
  for (TableLines lines(path); lines.next();) add_row(lines, &table);
  require_rows(path, table);
  return table;
}

NamedTable read_named_table(const std::string& path) {
  TableLines lines(path);
  if (!lines.next())
    throw InputError(fmt::format("{}: no line (must begin with the names of its columns)", path));
  NamedTable named;
  const std::string_view names = lines.content();
  named.columns = split_names(std::string(names.substr(0, names.find_last_not_of(kBlank) + 1)));
  named.line = lines.line();
  named.table.n_column = named.columns.size();
  while (lines.next()) {
    add_row(lines, &named.table);
    named.lines.push_back(lines.line());
  }
  require_rows(path, named.table);
  return named;
}

}  // namespace nodia
