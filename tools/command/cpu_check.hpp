/// Checks that the CPU has the instruction set for which the program is compiled.
#pragma once

namespace nodia::cli {

/// Ends the process with a one-line message and exit code 1 if the CPU lacks the instruction set of
/// the build (NODIA_ARCH). Otherwise the first such instruction would end the process by SIGILL.
void require_cpu();

}  // namespace nodia::cli
