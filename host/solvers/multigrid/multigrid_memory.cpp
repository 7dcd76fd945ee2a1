/// Serialises a hierarchy as numbers, and restores it.
#include <limits>
#include <type_traits>

#include "host/solvers/multigrid/multigrid.hpp"

namespace nodia {
namespace {

/// Reads numbers in sequence.
class Reader {
 public:
  explicit Reader(const std::vector<double>& numbers) : numbers_(numbers) {}
  bool is_good() const { return good_; }
  bool is_at_end() const { return next_ == numbers_.size(); }
  /// Next number; 0 after the end.
  double number() {
    good_ = good_ && next_ < numbers_.size();
    return good_ ? numbers_[next_++] : 0;
  }
  /// Reads a length and a list; the length must equal `size` if that is not negative.
  template <class T>
  std::vector<T> list(std::int64_t size = -1) {
    const double length = number();
    good_ = good_ && length >= 0 && length <= static_cast<double>(numbers_.size() - next_) &&
            (size < 0 || length == static_cast<double>(size));
    std::vector<T> list;
    for (double k = 0; good_ && k < length; ++k) {
      const double x = number();
      if constexpr (std::is_integral_v<T>)
        good_ = good_ && x >= 0 && x <= static_cast<double>(std::numeric_limits<T>::max());
      if (good_) list.push_back(static_cast<T>(x));
    }
    return list;
  }

 private:
  const std::vector<double>& numbers_;
  std::size_t next_ = 0;
  bool good_ = true;
};

template <class T>
void append(const std::vector<T>& list, std::vector<double>* numbers) {
  numbers->push_back(static_cast<double>(list.size()));
  for (const T x : list) numbers->push_back(static_cast<double>(x));
}

/// True if the rows are in sequence, their columns ascend, and diagonal blocks have their indices.
bool is_pattern(const BlockPattern& pattern, int n_row) {
  const std::vector<std::int32_t>& begin = pattern.row_begin;
  if (begin.front() != 0 || begin.back() != pattern.n_block()) return false;
  for (int i = 0; i < n_row; ++i) {
    if (begin[i] > begin[i + 1] || begin[i + 1] > pattern.n_block()) return false;
    for (std::int32_t k = begin[i]; k < begin[i + 1]; ++k)
      if (pattern.column[k] < 0 || pattern.column[k] >= n_row ||
          (k > begin[i] && pattern.column[k] <= pattern.column[k - 1]))
        return false;
    const std::int32_t diagonal = pattern.diagonal[i];
    if (diagonal < begin[i] || diagonal >= begin[i + 1] || pattern.column[diagonal] != i)
      return false;
  }
  return true;
}

}  // namespace

std::vector<double> Multigrid::saved() const {
  std::vector<double> numbers;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Level& level = levels_[l];
    numbers.push_back(level.lambda_max);
    std::vector<double> prolongation;
    for (const Prolongation<double>& p : level.prolongation)
      for (const Mat3d* m : {&p.t, &p.w})
        for (int k = 0; k < 9; ++k) prolongation.push_back((*m)(k / 3, k % 3));
    append(prolongation, &numbers);
    if (l == 0) continue;
    append(level.own_K.pattern->row_begin, &numbers);
    append(level.own_K.pattern->column, &numbers);
    append(level.own_K.pattern->diagonal, &numbers);
    append(level.own_K.value, &numbers);
  }
  return numbers;
}

bool Multigrid::restore(const std::vector<double>& numbers) {
  if (n_level() < 2) return false;
  ++version_;
  Reader reader(numbers);
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    Level& level = levels_[l];
    level.lambda_max = reader.number();
    const auto n_prolongation = static_cast<std::int64_t>(level.prolongation.size());
    const std::vector<double> prolongation = reader.list<double>(18 * n_prolongation);
    if (!reader.is_good()) return false;
    for (std::size_t i = 0; i < level.prolongation.size(); ++i)
      for (std::size_t k = 0; k < 18; ++k)
        (k < 9 ? level.prolongation[i].t : level.prolongation[i].w)(
            static_cast<int>(k % 9) / 3, static_cast<int>(k % 3)) = prolongation[18 * i + k];
    round_prolongation(static_cast<int>(l));
    level.coarsened = nullptr;
    if (l == 0) continue;
    const int n_row = (*rows_)[l].n_row();
    auto pattern = std::make_shared<BlockPattern>();
    pattern->row_begin = reader.list<std::int32_t>(n_row + 1);
    pattern->column = reader.list<std::int32_t>();
    pattern->diagonal = reader.list<std::int32_t>(n_row);
    const auto n_value = 9 * static_cast<std::int64_t>(pattern->column.size()) + kBlockPadding;
    std::vector<double> value = reader.list<double>(n_value);
    if (!reader.is_good() || !is_pattern(*pattern, n_row)) return false;
    level.own_K.pattern = std::move(pattern);
    level.own_K.value = std::move(value);
    level.K = &level.own_K;
  }
  if (!reader.is_at_end()) return false;
  for (int l = 1; l < n_level(); ++l) {
    round_matrix(l);
    invert_groups(l);
  }
  invert_coarsest();
  return true;
}

}  // namespace nodia
