#include "host/solvers/elimination/chain_plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace nodia {
namespace {

/// Times relative to the elimination of a link: of a link with a border row, of a link with a pair
/// of border rows, and of a product in the dense factor.
constexpr double kRunWork = 0.4, kPairWork = 0.04, kDenseWork = 0.002;
/// Above this ratio to the work of the links, sparse Cholesky is about as fast, or faster.
constexpr double kMostBorderWork = 16;

/// A link in the order of the rows.
struct Link {
  std::int32_t row = 0;
  int chain = 0;
  bool border = false;
};

/// Builds the lists of the links.
class Planner {
 public:
  Planner(const BlockPattern& pattern, const std::vector<Body>& bodies, ChainPlan* plan)
      : pattern_(pattern), plan_(*plan), link_of_row_(pattern.n_row(), -1) {
    for (const Body& body : bodies) {
      if (body.kind != BodyKind::chain) continue;
      for (std::int32_t row = body.first_row; row < body.first_row + body.n_row; row += kLinkRows) {
        for (std::int32_t r = 0; r < kLinkRows; ++r)
          link_of_row_[row + r] = static_cast<int>(links_.size());
        links_.push_back({row, n_chain_, false});
      }
      ++n_chain_;
    }
  }

  void run_band() {
    plan_.segment_begin.push_back(0);
    for (std::size_t a = 0; a < links_.size(); ++a) {
      const bool continues = a > 0 && links_[a].chain == links_[a - 1].chain;
      add_link(links_[a].row, continues ? links_[a - 1].row : -1);
      const bool is_last = a + 1 == links_.size() || links_[a + 1].chain != links_[a].chain;
      if (is_last) plan_.segment_begin.push_back(static_cast<std::int32_t>(plan_.link.size()));
    }
    plan_.segment_run_begin.assign(plan_.segment_begin.size(), 0);
    plan_.border_run_begin.push_back(0);
  }

  bool run() {
    if (links_.empty()) return false;
    choose_border_links();
    number_border();
    if (border_work() > most_work()) return false;
    add_segments();
    if (border_work() > most_work()) return false;
    add_pairs();
    return true;
  }

 private:
  double most_work() const { return kMostBorderWork * static_cast<double>(links_.size()); }
  double border_work() const {
    const double n = 3.0 * static_cast<double>(plan_.border_row.size());
    return kDenseWork * n * n * n / 6 + filled_work_;
  }

  bool in_band(int a, int b) const {
    return links_[a].chain == links_[b].chain && std::abs(a - b) <= 1;
  }

  void choose_border_links() {
    std::vector<std::pair<int, int>> couplings;
    for (int i = 0; i < pattern_.n_row(); ++i)
      for (std::int32_t k = pattern_.row_begin[i]; k < pattern_.row_begin[i + 1]; ++k) {
        const int a = link_of_row_[i], b = link_of_row_[pattern_.column[k]];
        if (a >= 0 && b > a && !in_band(a, b)) couplings.emplace_back(a, b);
      }
    std::sort(couplings.begin(), couplings.end());
    couplings.erase(std::unique(couplings.begin(), couplings.end()), couplings.end());
    std::vector<int> n_coupling(links_.size(), 0);
    for (const auto& [a, b] : couplings) {
      ++n_coupling[a];
      ++n_coupling[b];
    }
    while (!couplings.empty()) {
      const auto most = static_cast<int>(std::max_element(n_coupling.begin(), n_coupling.end()) -
                                         n_coupling.begin());
      links_[most].border = true;
      std::erase_if(couplings, [&](const std::pair<int, int>& of) {
        if (of.first != most && of.second != most) return false;
        --n_coupling[of.first];
        --n_coupling[of.second];
        return true;
      });
    }
  }

  void number_border() {
    border_of_row_.assign(pattern_.n_row(), -1);
    for (int i = 0; i < pattern_.n_row(); ++i)
      if (link_of_row_[i] < 0 || links_[link_of_row_[i]].border) {
        border_of_row_[i] = static_cast<std::int32_t>(plan_.border_row.size());
        plan_.border_row.push_back(i);
      }
  }

  void add_segments() {
    plan_.segment_begin.push_back(0);
    plan_.segment_run_begin.push_back(0);
    const int n = static_cast<int>(links_.size());
    for (int begin = 0; begin < n;) {
      int end = begin;
      while (end < n && !links_[end].border && links_[end].chain == links_[begin].chain) ++end;
      if (end > begin) add_segment(begin, end);
      begin = std::max(end, begin + 1);
    }
  }

  /// Adds links begin .. end - 1 in the elimination order with less fill.
  void add_segment(int begin, int end) {
    // Links that couple with each border row, ascending.
    std::map<std::int32_t, std::vector<int>> touching;
    for (int a = begin; a < end; ++a)
      for (std::int32_t r = 0; r < kLinkRows; ++r)
        for_border(links_[a].row + r, [&](std::int32_t border) {
          std::vector<int>& own = touching[border];
          if (own.empty() || own.back() != a) own.push_back(a);
        });
    std::int64_t ascending = 0, descending = 0;
    for (const auto& [border, own] : touching) {
      ascending += end - own.front();
      descending += own.back() - begin + 1;
    }
    const bool turned = descending < ascending;

    const std::int32_t first = plan_.segment_begin.back();
    for (int k = 0; k < end - begin; ++k) {
      const int a = turned ? end - 1 - k : begin + k;
      add_link(links_[a].row, k == 0 ? -1 : links_[turned ? a + 1 : a - 1].row);
    }
    plan_.segment_begin.push_back(first + end - begin);
    const auto place = [&](int a) { return first + (turned ? end - 1 - a : a - begin); };

    std::vector<std::pair<std::int32_t, std::int32_t>> order;  // first link, border row
    for (auto& [border, own] : touching) {
      if (turned) std::reverse(own.begin(), own.end());
      order.emplace_back(place(own.front()), border);
    }
    std::sort(order.begin(), order.end());
    const auto segment = static_cast<std::int32_t>(plan_.segment_begin.size()) - 2;
    for (const auto& [first_link, border] : order) {
      BorderRun run;
      run.segment = segment;
      run.first_link = first_link;
      run.coupling_begin = static_cast<std::int32_t>(plan_.coupling.size());
      for (const int a : touching[border]) {
        BorderCoupling coupling{place(a), {}};
        for (std::int32_t r = 0; r < kLinkRows; ++r)
          coupling.block[r] = pattern_.find(links_[a].row + r, plan_.border_row[border]);
        plan_.coupling.push_back(coupling);
      }
      run.coupling_end = static_cast<std::int32_t>(plan_.coupling.size());
      run.first_value = plan_.n_run_value;
      const int length = plan_.segment_begin.back() - first_link;
      plan_.n_run_value += length;
      plan_.run.push_back(run);
      plan_.run_border.push_back(border);
      const auto before = static_cast<double>(plan_.run.size()) -
                          plan_.segment_run_begin.back();  // including itself
      filled_work_ += length * (kRunWork + kPairWork * before);
    }
    plan_.segment_run_begin.push_back(static_cast<std::int32_t>(plan_.run.size()));
  }

  void add_link(std::int32_t row, std::int32_t row_before) {
    LinkPlace link;
    link.row = row;
    link.diagonal[0] = pattern_.diagonal[row];
    link.diagonal[1] = pattern_.find(row + 1, row);
    link.diagonal[2] = pattern_.diagonal[row + 1];
    for (std::int32_t e = 0; e < 4; ++e)
      link.before[e] = row_before < 0 ? -1 : pattern_.find(row + e / 2, row_before + e % 2);
    plan_.link.push_back(link);
  }

  /// Calls f(border row) for every border row that couples with row i.
  template <class F>
  void for_border(std::int32_t i, const F& f) const {
    for (std::int32_t k = pattern_.row_begin[i]; k < pattern_.row_begin[i + 1]; ++k)
      if (const std::int32_t border = border_of_row_[pattern_.column[k]]; border >= 0) f(border);
  }

  void add_pairs() {
    const auto n = static_cast<std::int32_t>(plan_.border_row.size());
    std::vector<std::vector<std::int32_t>> runs(n);
    for (std::size_t r = 0; r < plan_.run.size(); ++r)
      runs[plan_.run_border[r]].push_back(static_cast<std::int32_t>(r));
    plan_.border_run_begin.push_back(0);
    for (std::int32_t i = 0; i < n; ++i) {
      plan_.border_run.insert(plan_.border_run.end(), runs[i].begin(), runs[i].end());
      plan_.border_run_begin.push_back(static_cast<std::int32_t>(plan_.border_run.size()));
      for (std::int32_t j = i; j < n; ++j) {
        BorderPair pair{i, j, pattern_.find(plan_.border_row[i], plan_.border_row[j])};
        pair.term_begin = static_cast<std::int32_t>(plan_.term.size());
        // Both lists are sorted by segment, with at most one run per segment.
        for (auto a = runs[i].begin(), b = runs[j].begin();
             a != runs[i].end() && b != runs[j].end();) {
          const std::int32_t of_a = plan_.run[*a].segment, of_b = plan_.run[*b].segment;
          if (of_a == of_b) plan_.term.push_back({*a, *b});
          if (of_a <= of_b) ++a;
          if (of_b <= of_a) ++b;
        }
        pair.term_end = static_cast<std::int32_t>(plan_.term.size());
        plan_.pair.push_back(pair);
      }
    }
  }

  const BlockPattern& pattern_;
  ChainPlan& plan_;
  std::vector<int> link_of_row_;  ///< -1 if it belongs to no chain
  std::vector<Link> links_;
  int n_chain_ = 0;
  std::vector<std::int32_t> border_of_row_;  ///< -1: in a segment
  double filled_work_ = 0;
};

}  // namespace

ChainSystem ChainPlan::system() const {
  ChainSystem s;
  s.n_segment = static_cast<int>(segment_begin.size()) - 1;
  s.n_run = static_cast<int>(run.size());
  s.n_border = static_cast<int>(border_row.size());
  s.n_pair = static_cast<int>(pair.size());
  s.segment_begin = segment_begin.data();
  s.link = link.data();
  s.segment_run_begin = segment_run_begin.data();
  s.run = run.data();
  s.coupling = coupling.data();
  s.run_border = run_border.data();
  s.border_row = border_row.data();
  s.border_run_begin = border_run_begin.data();
  s.border_run = border_run.data();
  s.pair = pair.data();
  s.term = term.data();
  return s;
}

bool make_chain_plan(const BlockPattern& pattern, const std::vector<Body>& bodies,
                     ChainPlan* plan) {
  *plan = {};
  return Planner(pattern, bodies, plan).run();
}

ChainPlan make_band_plan(const BlockPattern& pattern, const std::vector<Body>& bodies) {
  ChainPlan plan;
  Planner(pattern, bodies, &plan).run_band();
  return plan;
}

}  // namespace nodia
