/// Replaces the running process by another program.
#pragma once

#include <string>
#include <vector>

namespace nodia::cli {

/// Runs the program words[0] with the arguments words[1...]. If words[0] contains no slash, PATH is
/// searched. Returns only if the program cannot be started.
/// @return  errno
int replace_process(std::vector<std::string> words);

}  // namespace nodia::cli
