/// What `nodia run` prints about a finished run: the summary on stdout, the verdict on stderr.
#pragma once

#include <cstddef>
#include <functional>

#include "host/io/summary_json.hpp"

namespace nodia::cli {

void print_table(const RunSummary& summary);

/// Reports on stderr which objects overlap.
class OverlapTeller {
 public:
  /// @param before  called before the first line of a record
  void tell(const StepRecord& record, std::size_t n_env, const std::function<void()>& before);
  void archive(Archive& a) { a("n_told", n_told_); }

 private:
  int n_told_ = 0;
};

/// Says in one line each what is wrong. A step that is_failure() makes the run fail always.
/// @param check  so do checks that failed or whose value is not a number, and every step that did
/// not converge; checks that had nothing to compare or were not reached are told
/// @return exit code
int verdict(const RunSummary& summary, bool check);

}  // namespace nodia::cli
