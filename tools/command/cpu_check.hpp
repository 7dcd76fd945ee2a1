/// The check that this CPU has the instructions for which the program is compiled.
#pragma once

namespace nodia::cli {

/// Ends the process with one line and exit code 1 if the CPU lacks the instruction set of the build
/// (NODIA_ARCH). Without this check the first such instruction would end it by SIGILL.
void require_cpu();

}  // namespace nodia::cli
