/// Identity of the build. Equal builds have equal bits on one kind of CPU.
#pragma once

#include <string>

namespace nodia {

/// Version, commit, compiler and instruction set of the host code, in one line.
const std::string& build_id();

/// Commit of the source, with "-dirty" if files differed from it; "unknown" outside a checkout.
const char* build_commit();

}  // namespace nodia
