/// Choice of the instruction set of CPU kernels at run time.
#pragma once

#include <string>
#include <vector>

namespace nodia {

enum class CpuIsa { portable, avx2, avx512 };

const char* name_of(CpuIsa);

/// Instruction sets that this build contains and this machine supports, slowest first.
std::vector<CpuIsa> available_isas();

/// The fastest available instruction set, or the one that the environment variable NODIA_ISA names.
/// @throws InputError if NODIA_ISA names no available one
CpuIsa chosen_isa();

}  // namespace nodia
