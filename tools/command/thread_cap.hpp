/// No more threads than cores, unless asked otherwise.
#pragma once

#include <CLI/CLI.hpp>

namespace nodia::cli {

struct ThreadCap {
  bool oversubscribe = false;

  void declare(CLI::App& app);
  /// The threads that will run: those asked for, or all (0), but no more than there are cores,
  /// unless --oversubscribe says so; fewer are told on stderr.
  void apply(int* count) const;
};

}  // namespace nodia::cli
