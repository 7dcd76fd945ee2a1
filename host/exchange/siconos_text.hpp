/// Text files of Siconos' frictionContact_printInFile and globalFrictionContact_printInFile (.dat).
///
///   dimension  n_contact  M  [H if global]  q  [b if global]  mu        separated by white space
///   M, H:  storage  rows  columns, then
///     0 dense   rows columns, values by columns
///     1 blocks  n_block, block rows, block columns, row ends, column ends, filled1, filled2,
///               index1[filled1], index2[filled2], then per block: its number, values by columns
///     2 sparse  origin, a line of CSparse's version, `[triplet: ]m-by-n, nzmax: .. nnz: ..`,
///     entries
///   and at the end, where it pleases, 0 or 1: whether the numbers of a first guess follow
///
/// A vector stands in a line of its own, q and b in one or two, values of a dense matrix or a block
/// in lines of one length: a value that is missing or too many is an error that names the line. A
/// file in one line is read where it has the flag at the end, which a missing value takes away.
#pragma once

#include <string>
#include <string_view>

#include "host/exchange/friction_problem.hpp"

namespace nodia {

/// The file does not say whether it is global or local: its name may (gfc, Global), and what one
/// kind cannot be read as is tried as the other.
/// @param text  the whole file
/// @param path  for messages and the kind
/// @throws InputError `file:line: ...`; what lies nearer to zero than doubles is zero. Counts are
/// held against the size of the file before memory is taken for them.
FrictionProblem read_siconos_text(std::string_view text, const std::string& path);

}  // namespace nodia
