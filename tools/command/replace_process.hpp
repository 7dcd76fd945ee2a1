/// Starts another program in the place of this one.
#pragma once

#include <string>
#include <vector>

namespace nodia::cli {

/// The program words[0], which is sought on PATH where it names no folder, with the arguments
/// words[1...]. Returns only when it cannot be started: errno.
int replace_process(std::vector<std::string> words);

}  // namespace nodia::cli
