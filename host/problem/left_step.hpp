/// The end of steps that a solver leaves where it made their contacts, and what it tells of it.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/elements/hold.hpp"
#include "kernels/step/soft_depths.hpp"
#include "kernels/step/soft_end.hpp"

namespace nodia {

/// Environment by environment; of those that rest, anything.
struct LeftSteps {
  std::vector<SoftEnd> end;                    ///< [n_env]; empty: none was left
  std::vector<SoftDepth> depth;                ///< [body][obstacle] of every environment
  std::vector<std::int32_t> depth_begin;       ///< [n_env + 1]
  std::vector<double> pair_depth;              ///< [search] of every environment, PairBatch::depth
  std::vector<std::int32_t> pair_depth_begin;  ///< [n_env + 1]
  std::vector<HoldSums> hold;                  ///< of the attachments of every environment
  std::vector<std::int32_t> hold_begin;        ///< [n_env + 1]

  bool empty() const { return end.empty(); }
};

}  // namespace nodia
