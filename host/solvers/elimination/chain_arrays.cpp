#include "host/solvers/elimination/chain_arrays.hpp"

#include <utility>

namespace nodia {

ChainArrays::ChainArrays(ChainPlan plan) : plan_(std::move(plan)), system_(plan_.system()) {
  const std::size_t n_border = 3 * plan_.border_row.size();
  inverse_.resize(plan_.link.size());
  factor_.resize(plan_.link.size());
  work_.resize(plan_.link.size());
  run_value_.resize(static_cast<std::size_t>(plan_.n_run_value));
  schur_.resize(n_border * n_border);
  border_work_.resize(n_border);
  definite_.resize(plan_.segment_begin.size());
  system_.inverse = inverse_.data();
  system_.factor = factor_.data();
  system_.run_value = run_value_.data();
  system_.schur = schur_.data();
  system_.definite = definite_.data();
  system_.work = work_.data();
  system_.border_work = border_work_.data();
}

ChainSystem ChainArrays::system(const BlockMatrix& K) const {
  ChainSystem system = system_;
  system.K = K.value.data();
  return system;
}

FactorWork ChainArrays::work() const {
  // Per link, 6x6 blocks: two products, a factor and its inverse; per value of a run, 6x3.
  constexpr double kLink = 504, kLinkSolve = 156, kValue = 171, kValueSolve = 36, kPair = 54;
  const auto n_link = static_cast<double>(plan_.link.size());
  const auto n_value = static_cast<double>(plan_.n_run_value);
  const double border = 3 * static_cast<double>(plan_.border_row.size());
  const double run_length = plan_.run.empty() ? 0 : n_value / static_cast<double>(plan_.run.size());
  const double n_pair_value = static_cast<double>(plan_.term.size()) * run_length;
  return {kLink * n_link + kValue * n_value + kPair * n_pair_value + border * border * border / 6,
          kLinkSolve * n_link + kValueSolve * n_value + border * border};
}

}  // namespace nodia
