/// Limits the number of threads to the number of cores.
#pragma once

#include <CLI/CLI.hpp>

namespace nodia::cli {

struct ThreadCap {
  bool oversubscribe = false;

  void declare(CLI::App& app);
  /// Reduces a number of threads to the number of cores and warns on stderr, unless --oversubscribe
  /// is given.
  /// @param count  in and out: requested threads; 0: all that OpenMP allows
  void apply(int* count) const;
};

}  // namespace nodia::cli
