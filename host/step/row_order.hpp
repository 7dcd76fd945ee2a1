/// The order in which the loop keeps an environment's nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "fem/matrix/block_matrix.hpp"

namespace nodia {

/// A pattern's nodes in an order with small bandwidth (reverse Cuthill-McKee), so that neighbours
/// lie near each other in memory. Inside windows of kOrderWindow rows marked nodes come first, so
/// that whole slices have contacts and others none, and then rows by falling length, so that slices
/// need little padding.
/// @param marked  [n_row] nonzero: nodes that are likely to be in contacts
std::vector<std::int32_t> row_order(const BlockPattern& pattern, const char* marked);

inline constexpr int kOrderWindow = 1024;

}  // namespace nodia
