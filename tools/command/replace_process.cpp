#include "tools/command/replace_process.hpp"

#include <unistd.h>

#include <cerrno>

namespace nodia::cli {

int replace_process(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers.front(), pointers.data());
  return errno;
}

}  // namespace nodia::cli
