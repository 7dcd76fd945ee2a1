/// Reads and writes HDF5 files of fclib:
/// /fclib_global/{M, H, vectors/{f, w, mu}, spacedim, info} with f = q, w = b, or
/// /fclib_local/{W, vectors/{q, mu}, spacedim, info}.
/// A matrix is {m, n, nzmax, nz, p, i, x}: nz = -1 by columns, -2 by rows, else the number of valid
/// triplets (row i, column p). Solutions in a file are ignored.
#pragma once

#include <string>

#include "host/exchange/friction_problem.hpp"

namespace nodia {

/// @throws InputError that names file and dataset
FrictionProblem read_fclib(const std::string& path);

/// Writes matrices by columns, to a temporary file that is synced and renamed.
/// @throws RuntimeError if writing fails
void write_fclib(const FrictionProblem& problem, const std::string& path);

}  // namespace nodia
