/// Divides the rows of a matrix into chains of cable links, which are eliminated, and a border.
///
/// Links couple with their predecessor and successor. Of other pairs of coupled links one moves to
/// the border, first the one with most such couplings; so do all rows that are not links. Each
/// remaining segment of a chain is eliminated towards the end at which the border fills less.
#pragma once

#include <vector>

#include "host/problem/topology.hpp"
#include "kernels/elimination/chain_system.hpp"

namespace nodia {

/// The lists of a ChainSystem.
struct ChainPlan {
  std::vector<std::int32_t> segment_begin, segment_run_begin;
  std::vector<LinkPlace> link;
  std::vector<BorderRun> run;
  std::vector<BorderCoupling> coupling;
  std::vector<std::int32_t> run_border, border_row, border_run_begin, border_run;
  std::vector<BorderPair> pair;
  std::vector<PairTerm> term;
  std::int64_t n_run_value = 0;

  /// Returns the system without values.
  ChainSystem system() const;
};

/// @param bodies  of one environment
/// @return false if there is no chain, or if the border makes a general sparse factorisation faster
bool make_chain_plan(const BlockPattern& pattern, const std::vector<Body>& bodies, ChainPlan* plan);

/// Plans the chains only, one segment each without a border: links couple only with neighbours.
ChainPlan make_band_plan(const BlockPattern& pattern, const std::vector<Body>& bodies);

}  // namespace nodia
