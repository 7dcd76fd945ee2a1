/// Which rows of a matrix are eliminated along the chains of its cables, and which are its border.
///
/// Links couple with the one before and the one after; of any other coupling of two links one of
/// them goes to the border, the one with most such couplings first. So do all rows that are no
/// links. What remains of the chains are segments; each is eliminated towards the end at which the
/// border fills less.
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

  /// Without values.
  ChainSystem system() const;
};

/// @param bodies  of one environment
/// @return false where there is no chain, or where the border costs so much that a general sparse
///         factorisation is the faster one
bool make_chain_plan(const BlockPattern& pattern, const std::vector<Body>& bodies, ChainPlan* plan);

/// The chains alone, each one segment: no border, and no other coupling than that of links with the
/// ones before and after.
ChainPlan make_band_plan(const BlockPattern& pattern, const std::vector<Body>& bodies);

}  // namespace nodia
