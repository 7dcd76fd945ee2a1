/// What `nodia run` tells about a finished run: the table on stdout, the verdict on stderr.
#pragma once

#include "host/io/summary_json.hpp"

namespace nodia::cli {

void print_table(const RunSummary& summary);

/// Says in one line each what is wrong. @param check  failed checks and steps that did not converge
/// count
/// @return exit code
int verdict(const RunSummary& summary, bool check);

}  // namespace nodia::cli
