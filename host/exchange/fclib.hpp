/// HDF5 files of fclib: /fclib_global/{M, H, vectors/{f, w, mu}, spacedim, info} with f = q, w = b,
/// or /fclib_local/{W, vectors/{q, mu}, spacedim, info}; a matrix is {m, n, nzmax, nz, p, i, x}: nz
/// = -1 by columns, -2 by rows, else the number of valid triplets (row i, column p). What a file
/// says of a solution is not read.
#pragma once

#include <string>

#include "host/exchange/friction_problem.hpp"

namespace nodia {

/// @throws InputError naming file and dataset
FrictionProblem read_fclib(const std::string& path);

/// Matrices by columns. Written to a temporary file, synced, renamed.
/// @throws RuntimeError where writing fails
void write_fclib(const FrictionProblem& problem, const std::string& path);

}  // namespace nodia
