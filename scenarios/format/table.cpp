#include "scenarios/format/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "kernels/core/error.hpp"
#include "kernels/core/number.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia {
namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{1} << 30;

/// The next word of a line, taken out of it; empty at its end. A comma ends one word and begins
/// another.
std::string_view next_word(std::string_view* line, bool* comma) {
  constexpr std::string_view kBlank = " \t\r";
  line->remove_prefix(std::min(line->find_first_not_of(kBlank), line->size()));
  const std::string_view word = line->substr(0, line->find_first_of(" \t\r,"));
  line->remove_prefix(word.size());
  line->remove_prefix(std::min(line->find_first_not_of(kBlank), line->size()));
  *comma = !line->empty() && line->front() == ',';
  if (*comma) line->remove_prefix(1);
  return word;
}

}  // namespace

Table read_table(const std::string& path, std::size_t n_column) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) throw InputError(fmt::format("{}: no such file", path));
  if (!fs::is_regular_file(status))
    throw InputError(fmt::format("{}: is not a regular file", path));
  if (fs::file_size(path, code) > kMaxFileBytes)
    throw InputError(fmt::format("{}: larger than {} bytes", path, kMaxFileBytes));
  std::ifstream file(path, std::ios::binary);
  Table table{n_column, {}};
  std::string text;
  for (int line = 1; std::getline(file, text); ++line) {
    std::string_view rest = std::string_view(text).substr(0, text.find('#'));
    if (rest.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    std::size_t n = 0;
    for (bool comma = true; comma || !rest.empty(); ++n) {
      const std::string_view word = next_word(&rest, &comma);
      const std::optional<double> value = parse_real(word);
      if (!value) {
        throw InputError(fmt::format("{}:{}: {} (must be a finite number; column {} of {})", path,
                                     line, shown(yaml_plain(std::string(word))), n + 1, n_column));
      }
      table.values.push_back(*value);
    }
    if (n != n_column) {
      throw InputError(
          fmt::format("{}:{}: {} numbers (must be {} in every row)", path, line, n, n_column));
    }
  }
  if (file.bad()) throw InputError(fmt::format("{}: cannot be read", path));
  if (table.values.empty()) {
    throw InputError(fmt::format("{}: no row (must have rows of {} numbers)", path, n_column));
  }
  return table;
}

}  // namespace nodia
