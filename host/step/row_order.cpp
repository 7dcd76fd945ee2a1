/// Reverse Cuthill-McKee order of nodes, with marked nodes first in every window of rows.
#include "host/step/row_order.hpp"

#include <algorithm>

namespace nodia {
namespace {

class CuthillMcKee {
 public:
  explicit CuthillMcKee(const BlockPattern& pattern)
      : pattern_(pattern), seen_(static_cast<std::size_t>(pattern.n_row()), 0) {}

  std::vector<std::int32_t> order() {
    std::vector<std::int32_t> order;
    order.reserve(seen_.size());
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      if (seen_[k] == kPlaced) continue;
      visit(far_end(far_end(static_cast<std::int32_t>(k))), kPlaced, &order);
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

 private:
  static constexpr std::int32_t kPlaced = -1;

  int degree(std::int32_t i) const { return pattern_.row_begin[i + 1] - pattern_.row_begin[i]; }
  /// Breadth-first visit of nodes whose mark differs from `mark`; neighbours by degree.
  void visit(std::int32_t start, std::int32_t mark, std::vector<std::int32_t>* order) {
    std::size_t head = order->size();
    order->push_back(start);
    seen_[start] = mark;
    while (head < order->size()) {
      const std::int32_t i = (*order)[head++];
      const std::size_t first = order->size();
      for (int k = pattern_.row_begin[i]; k < pattern_.row_begin[i + 1]; ++k) {
        const std::int32_t j = pattern_.column[k];
        if (seen_[j] == mark) continue;
        seen_[j] = mark;
        order->push_back(j);
      }
      std::stable_sort(order->begin() + static_cast<std::ptrdiff_t>(first), order->end(),
                       [&](std::int32_t a, std::int32_t b) { return degree(a) < degree(b); });
    }
  }
  /// Node that a visit from `start` reaches last.
  std::int32_t far_end(std::int32_t start) {
    reached_.clear();
    visit(start, ++mark_, &reached_);
    return reached_.back();
  }

  const BlockPattern& pattern_;
  std::vector<std::int32_t> seen_;  ///< mark of the last visit, kPlaced once ordered
  std::vector<std::int32_t> reached_;
  std::int32_t mark_ = 0;
};

}  // namespace

std::vector<std::int32_t> row_order(const BlockPattern& pattern, const char* marked) {
  std::vector<std::int32_t> order = CuthillMcKee(pattern).order();
  const auto length = [&](std::int32_t i) {
    return pattern.row_begin[i + 1] - pattern.row_begin[i];
  };
  for (std::size_t first = 0; first < order.size(); first += kOrderWindow) {
    const std::size_t last = std::min(first + kOrderWindow, order.size());
    std::stable_sort(
        order.begin() + static_cast<std::ptrdiff_t>(first),
        order.begin() + static_cast<std::ptrdiff_t>(last), [&](std::int32_t a, std::int32_t b) {
          return marked[a] != marked[b] ? marked[a] > marked[b] : length(a) > length(b);
        });
  }
  return order;
}

}  // namespace nodia
