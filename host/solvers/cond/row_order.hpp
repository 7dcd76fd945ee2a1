/// The order in which the loop keeps an environment's nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "fem/block_matrix.hpp"

namespace nodia {

/// Nodes [begin, end) of a pattern that couples them only with each other, in an order with small
/// bandwidth (reverse Cuthill-McKee), so that neighbours lie near each other in memory. Inside
/// windows of kOrderWindow rows marked nodes come first, so that whole slices have contacts and
/// others none, and then rows by falling length, so that slices need little padding.
/// @param marked  [n_node] nodes that are likely to be in contacts
std::vector<std::int32_t> row_order(const BlockPattern& pattern, int begin, int end,
                                    const std::vector<char>& marked);

inline constexpr int kOrderWindow = 1024;

}  // namespace nodia
