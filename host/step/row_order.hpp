/// Order of an environment's nodes in the loop.
#pragma once

#include <cstdint>
#include <vector>

#include "fem/matrix/block_matrix.hpp"

namespace nodia {

/// Orders a pattern's nodes with small bandwidth (reverse Cuthill-McKee), so that neighbours are
/// close in memory. Within windows of kOrderWindow rows, marked nodes come first, so that contacts
/// fill whole slices; then rows are sorted by decreasing length, so that slices need little
/// padding.
/// @param marked  [n_row] nonzero: node is likely to be in contact
std::vector<std::int32_t> row_order(const BlockPattern& pattern, const char* marked);

inline constexpr int kOrderWindow = 1024;

}  // namespace nodia
