/// The instruction set that the CPU's kernels run with, chosen when the program runs.
#pragma once

#include <string>
#include <vector>

namespace nodia {

enum class CpuIsa { portable, avx2, avx512 };

const char* name_of(CpuIsa);

/// Instruction sets that this build has and this machine can run, slowest first.
std::vector<CpuIsa> available_isas();

/// The fastest of them, or the one that the environment variable NODIA_ISA names.
/// @throws InputError where NODIA_ISA names none of them
CpuIsa chosen_isa();

}  // namespace nodia
