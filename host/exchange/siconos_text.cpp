#include "host/exchange/siconos_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/core/number.hpp"

namespace nodia {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

/// Words of a text with their line numbers.
class Words {
 public:
  Words(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {
    const std::size_t last = text_.find_last_not_of(kBlank);
    one_line_ =
        text_.substr(0, last).find('\n', text_.find_first_not_of(kBlank)) == std::string_view::npos;
    flag_needed_ = one_line_;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(fmt::format("{}:{}: {}", path_, line_, what));
  }
  bool at_end() {
    skip_space();
    return at_ == text_.size();
  }
  std::string_view word(const char* what) {
    skip_space();
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    if (at_ == begin) refuse(fmt::format("the file ends (must be followed by {})", what));
    return text_.substr(begin, at_ - begin);
  }
  /// Rest of the next line that is not empty.
  std::string_view whole_line(const char* what) {
    skip_space();
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    if (at_ == begin) refuse(fmt::format("the file ends (must be followed by {})", what));
    return text_.substr(begin, at_ - begin);
  }
  /// Next word, which remains the next one; empty at the end.
  std::string_view peek() {
    const std::size_t at = at_;
    const int line = line_;
    const std::string_view next = at_end() ? std::string_view() : word("");
    at_ = at;
    line_ = line;
    return next;
  }
  double real(const char* what) {
    const std::string_view w = word(what);
    const std::optional<double> value = parse_real(w);
    if (!value)
      refuse(fmt::format("{} = {} (must be a finite number, at most 1.8e308)", what, shown(w)));
    return *value;
  }
  int count(const char* what, std::int64_t low = 0,
            std::int64_t high = std::numeric_limits<int>::max()) {
    const std::string_view w = word(what);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(w.data(), w.data() + w.size(), value);
    if (error != std::errc{} || end != w.data() + w.size() || value < low || value > high)
      refuse(
          fmt::format("{} = {} (must be a whole number from {} to {})", what, shown(w), low, high));
    return static_cast<int>(value);
  }
  /// Checks that the rest of the file has room for n_value values, two characters each.
  void require_room(const char* what, std::int64_t n_value) {
    if (n_value > static_cast<std::int64_t>(text_.size() - at_ + 1) / 2)
      refuse(
          fmt::format("{} = {} values (must be at most what the file holds; or is it another kind "
                      "of file?)",
                      what, n_value));
  }
  /// Reads values in lines of their own, all of one length. Otherwise the following values could
  /// replace a missing one. A file in one line has no such lines.
  std::vector<double> lines_of(const char* what, std::int64_t n) {
    return lines_of(what, n, 0, Part::whole);
  }
  enum class Part { whole, front, back };
  /// Same in one line, or in a part of one. In a file without lines, or after an empty line, the
  /// flag at the end is needed to detect a missing value.
  Eigen::VectorXd vector(const char* what, Eigen::Index size, Part part = Part::whole) {
    const int line_before = line_;
    const std::vector<double> values = lines_of(what, size, size, part);
    flag_needed_ = flag_needed_ || (size > 0 && part != Part::back && line_ != line_before + 1);
    return Eigen::Map<const Eigen::VectorXd>(values.data(), size);
  }
  /// Number of words in the next line that is not empty.
  std::int64_t n_in_line() const {
    std::int64_t n = 0;
    std::size_t k = text_.find_first_not_of(kBlank, at_);
    for (bool blank = true; k < text_.size() && text_[k] != '\n'; ++k) {
      n += blank && !is_space(text_[k]) ? 1 : 0;
      blank = is_space(text_[k]);
    }
    return n;
  }
  /// True if only the flag of an initial guess shows that no value is missing.
  bool flag_needed() const { return flag_needed_; }

 private:
  static constexpr std::string_view kBlank = " \t\r\n\v\f";

  /// @param length  values in every line; 0: as in the first line
  std::vector<double> lines_of(const char* what, std::int64_t n, std::int64_t length, Part part) {
    require_room(what, n);
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(n));
    const int line_before = line_;
    std::int64_t in_line = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      const int line = line_;
      skip_space();
      if (!one_line_ && k == 0 && part != Part::back && line_ == line_before)
        refuse(fmt::format("{} begins inside a line (must begin one)", what));
      if (!one_line_ && k > 0 && line_ != line) {
        const int next = line_;
        line_ = line;
        require_length(what, in_line, &length);
        line_ = next;
        in_line = 0;
      }
      ++in_line;
      values.push_back(real(what));
    }
    if (one_line_ || n == 0) return values;
    require_length(what, in_line, &length);
    if (part == Part::front) return values;
    const std::size_t next = text_.find_first_not_of(" \t\r", at_);
    if (next != std::string_view::npos && text_[next] != '\n')
      refuse(
          fmt::format("{} = more than {} values in this line (must be {}; is one too many, or "
                      "one missing before?)",
                      what, length, length));
    return values;
  }
  void require_length(const char* what, std::int64_t n, std::int64_t* length) {
    if (*length == 0) *length = n;
    if (n != *length)
      refuse(
          fmt::format("{} = {} values in this line (must be {}; is one missing, or one too "
                      "many?)",
                      what, n, *length));
  }
  static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
  static std::string shown(std::string_view w) {
    std::string text(w.substr(0, 40));
    for (char& c : text)
      if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
    return text;
  }
  void skip_space() {
    for (; at_ < text_.size() && is_space(text_[at_]); ++at_)
      if (text_[at_] == '\n') ++line_;
  }

  std::string_view text_;
  std::string path_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool one_line_ = false, flag_needed_ = false;
};

SparseMatrix from_triplets(int n_row, int n_column, const Triplets& entries) {
  SparseMatrix matrix(n_row, n_column);
  matrix.setFromTriplets(entries.begin(), entries.end());
  matrix.makeCompressed();
  return matrix;
}

SparseMatrix read_dense(Words* words, int n_row, int n_column) {
  words->count("rows of the dense matrix", n_row, n_row);
  words->count("columns of the dense matrix", n_column, n_column);
  const std::vector<double> values =
      words->lines_of("dense matrix", std::int64_t{n_row} * n_column);
  Triplets entries;
  auto value = values.begin();
  for (int j = 0; j < n_column; ++j)
    for (int i = 0; i < n_row; ++i, ++value)
      if (*value != 0) entries.emplace_back(i, j, *value);
  return from_triplets(n_row, n_column, entries);
}

/// Reads the ends of block rows or columns: ascending, the last one equals `size`.
std::vector<int> read_ends(Words* words, const char* what, int n, int size) {
  words->require_room(what, n);
  std::vector<int> ends{0};
  for (int k = 0; k < n; ++k) ends.push_back(words->count(what, ends.back(), size));
  if (ends.back() != size)
    words->refuse(fmt::format("{} = {} at the last (must be {})", what, ends.back(), size));
  return ends;
}

SparseMatrix read_blocks(Words* words, int n_row, int n_column) {
  const int n_block = words->count("number of blocks");
  const int n_block_row = words->count("number of block rows", 0, n_row);
  const int n_block_column = words->count("number of block columns", 0, n_column);
  const std::vector<int> row = read_ends(words, "end of a block row", n_block_row, n_row);
  const std::vector<int> column =
      read_ends(words, "end of a block column", n_block_column, n_column);
  const int filled1 = words->count("filled1", n_block > 0 ? 1 : 0, std::int64_t{n_block_row} + 1);
  const int filled2 = words->count("filled2", n_block, n_block);
  words->require_room("block indices", std::int64_t{filled1} + filled2);
  std::vector<int> begin, block_column;
  for (int k = 0; k < filled1; ++k)
    begin.push_back(words->count("index1", k == 0 ? 0 : begin.back(), n_block));
  for (int k = 0; k < filled2; ++k)
    block_column.push_back(words->count("index2", 0, n_block_column - 1));
  if (n_block > 0 && (begin.front() != 0 || begin.back() != n_block))
    words->refuse(fmt::format("index1 = {} to {} (must be 0 to the number of blocks, {})",
                              begin.front(), begin.back(), n_block));
  Triplets entries;
  for (int i = 0; i + 1 < filled1; ++i) {
    for (int k = begin[i]; k < begin[i + 1]; ++k) {
      words->count("number of the block", k, k);
      const int j = block_column[k];
      const std::vector<double> values =
          words->lines_of("block", std::int64_t{row[i + 1] - row[i]} * (column[j + 1] - column[j]));
      auto value = values.begin();
      for (int c = column[j]; c < column[j + 1]; ++c)
        for (int r = row[i]; r < row[i + 1]; ++r, ++value)
          if (*value != 0) entries.emplace_back(r, c, *value);
    }
  }
  return from_triplets(n_row, n_column, entries);
}

/// Whole number before or after a word of CSparse's header line, or -1.
std::int64_t number_at(std::string_view line, std::size_t at) {
  while (at < line.size() && line[at] == ' ') ++at;
  std::int64_t value = -1;
  std::from_chars(line.data() + at, line.data() + line.size(), value);
  return value;
}

SparseMatrix read_sparse(Words* words, int n_row, int n_column) {
  constexpr int kRows = 3;  // origins: 1 triplet, 2 by columns, 3 by rows
  int origin = 2;
  if (const std::string_view next = words->peek(); next != "CSparse" && next != "CXSparse")
    origin = words->count("origin of the sparse matrix", 0, 4);
  words->whole_line("CSparse's line of its version");
  const std::string_view header = words->whole_line("size of the sparse matrix");
  const bool triplet = header.rfind("triplet:", 0) == 0;
  const std::size_t by = header.find("-by-"), nnz = header.find("nnz:");
  if (by == std::string_view::npos || nnz == std::string_view::npos)
    words->refuse("size of the sparse matrix: unreadable (must be like 3-by-3, nzmax: 9 nnz: 9)");
  const std::int64_t m = number_at(header, triplet ? 8 : 0), n = number_at(header, by + 4),
                     n_entry = number_at(header, nnz + 4);
  if (m != n_row || n != n_column || n_entry < 0)
    words->refuse(
        fmt::format("size of the sparse matrix = {}-by-{} with {} entries (must be {}-by-{})", m, n,
                    n_entry, n_row, n_column));
  words->require_room("sparse matrix", 2 * n_entry);
  Triplets entries;
  const auto colon = [&] {
    if (words->word(":") != ":")
      words->refuse("an entry without its colon (must be like i : value)");
  };
  if (triplet) {
    for (std::int64_t k = 0; k < n_entry; ++k) {
      const int i = words->count("row of an entry", 0, n_row - 1);
      const int j = words->count("column of an entry", 0, n_column - 1);
      colon();
      entries.emplace_back(i, j, words->real("value of an entry"));
    }
    return from_triplets(n_row, n_column, entries);
  }
  const bool by_rows = origin == kRows;
  int outer = -1;
  for (std::int64_t k = 0; k < n_entry;) {
    if (words->peek() == "col") {
      words->word("col");
      outer = words->count("column", 0, (by_rows ? n_row : n_column) - 1);
      words->whole_line("locations");
      continue;
    }
    if (outer < 0) words->refuse("an entry before its column");
    const int inner = words->count("row of an entry", 0, (by_rows ? n_column : n_row) - 1);
    colon();
    const double value = words->real("value of an entry");
    entries.emplace_back(by_rows ? outer : inner, by_rows ? inner : outer, value);
    ++k;
  }
  while (words->peek() == "col") {  // empty columns at the end
    words->whole_line("locations");
  }
  return from_triplets(n_row, n_column, entries);
}

struct MatrixHeader {
  int storage = 0, n_row = 0, n_column = 0;
};

MatrixHeader read_header(Words* words) {
  MatrixHeader header;
  header.storage = words->count("storage of a matrix", 0, 2);
  header.n_row = words->count("rows of a matrix");
  header.n_column = words->count("columns of a matrix");
  return header;
}

SparseMatrix read_matrix(Words* words, const MatrixHeader& header) {
  switch (header.storage) {
    case 0:
      return read_dense(words, header.n_row, header.n_column);
    case 1:
      return read_blocks(words, header.n_row, header.n_column);
    default:
      return read_sparse(words, header.n_row, header.n_column);
  }
}

/// Skips the optional flag of an initial guess and its numbers.
void skip_guess(Words* words) {
  if (words->at_end() && !words->flag_needed()) return;
  if (words->at_end())
    words->refuse(
        "the file ends (must be followed by the flag of a first guess, 0 or 1, where vectors do "
        "not stand in lines that follow each other; or is a value missing?)");
  const bool guess = words->count("flag of a first guess", 0, 1) == 1;
  while (!words->at_end()) {
    if (!guess) words->refuse("more follows (must be the end of the file)");
    words->real("first guess");
  }
}

/// @param fits  out: true if the sizes of the matrices fit the kind
FrictionProblem read_as(FrictionKind kind, std::string_view text, const std::string& path,
                        bool* fits) {
  Words words(text, path);
  FrictionProblem problem;
  problem.kind = kind;
  problem.title = std::filesystem::path(path).stem().string();
  problem.dimension = words.count("dimension", 2, 3);
  const int n_contact = words.count("number of contacts");
  words.require_room("mu", n_contact);
  const Eigen::Index n = static_cast<Eigen::Index>(problem.dimension) * n_contact;
  const MatrixHeader first = read_header(&words);
  problem.M = read_matrix(&words, first);
  // The sizes determine the vectors, so a wrong kind fails there first.
  if (kind == FrictionKind::local) {
    if (first.n_row != n || first.n_column != n)
      words.refuse(fmt::format("W = {}-by-{} (must be {}-by-{} for {} contacts)", first.n_row,
                               first.n_column, n, n, n_contact));
    *fits = true;
  } else {
    const MatrixHeader second = read_header(&words);
    if (second.n_row != first.n_row || second.n_column != n)
      words.refuse(fmt::format("H = {}-by-{} (must be {}-by-{} for {} contacts)", second.n_row,
                               second.n_column, first.n_row, n, n_contact));
    *fits = true;
    problem.H = read_matrix(&words, second);
  }
  // Siconos writes q and b in one line; two lines are accepted, too.
  const bool together = kind == FrictionKind::global && words.n_in_line() > first.n_row;
  problem.q = words.vector("q", first.n_row, together ? Words::Part::front : Words::Part::whole);
  if (kind == FrictionKind::global)
    problem.b = words.vector("b", n, together ? Words::Part::back : Words::Part::whole);
  const Eigen::VectorXd mu = words.vector("mu", n_contact);
  problem.mu.assign(mu.begin(), mu.end());
  skip_guess(&words);
  problem.validate(path);
  return problem;
}

/// True if the name says that the problem is global.
bool names_global(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name.find("gfc") != std::string::npos || name.find("global") != std::string::npos;
}

}  // namespace

FrictionProblem read_siconos_text(std::string_view text, const std::string& path) {
  const FrictionKind first = names_global(path) ? FrictionKind::global : FrictionKind::local;
  const FrictionKind other =
      first == FrictionKind::global ? FrictionKind::local : FrictionKind::global;
  bool first_fits = false, other_fits = false;
  try {
    return read_as(first, text, path, &first_fits);
  } catch (const InputError& error) {
    try {
      return read_as(other, text, path, &other_fits);
    } catch (const InputError& other_error) {
      // If the sizes of H fit, this is no coincidence.
      const bool is_other = other_fits && (!first_fits || other == FrictionKind::global);
      throw InputError(fmt::format("{} (read as a {} problem)",
                                   is_other ? other_error.what() : error.what(),
                                   name_of(is_other ? other : first)));
    }
  }
}

}  // namespace nodia
