/// Reads text files of Siconos' frictionContact_printInFile and globalFrictionContact_printInFile
/// (.dat).
///
///   dimension  n_contact  M  [H if global]  q  [b if global]  mu        separated by white space
///   M, H:  storage  rows  columns, then
///     0 dense   rows columns, values by columns
///     1 blocks  n_block, block rows, block columns, row ends, column ends, filled1, filled2,
///               index1[filled1], index2[filled2], then per block: its number, values by columns
///     2 sparse  origin, a line of CSparse's version, `[triplet: ]m-by-n, nzmax: .. nnz: ..`,
///               entries
///   at the end, optional: 0 or 1, whether the numbers of an initial guess follow
///
/// A vector has a line of its own (q and b have one or two lines). The values of a dense matrix or
/// a block are in lines of equal length: a missing or additional value is an error that names the
/// line. A file in one line needs the flag at the end, because a missing value would take its
/// place.
#pragma once

#include <string>
#include <string_view>

#include "host/exchange/friction_problem.hpp"

namespace nodia {

/// The file does not say whether it is global or local. Its name may say so (gfc, Global); if the
/// file cannot be read as one kind, it is read as the other.
/// @param text  the whole file
/// @param path  for messages and the kind
/// @throws InputError `file:line: ...`. Values below the range of doubles become zero. Counts are
/// compared with the size of the file before memory is allocated for them.
FrictionProblem read_siconos_text(std::string_view text, const std::string& path);

}  // namespace nodia
