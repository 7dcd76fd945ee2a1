/// Report of `nodia run` about a finished run: summary on stdout, verdict on stderr.
#pragma once

#include <cstddef>
#include <functional>

#include "host/io/summary_json.hpp"

namespace nodia::cli {

void print_table(const RunSummary& summary);

/// Reports overlapping objects on stderr.
class OverlapTeller {
 public:
  /// @param before  called before the first line of a record
  void tell(const StepRecord& record, std::size_t n_env, const std::function<void()>& before);
  void archive(Archive& a) { a("n_told", n_told_); }

 private:
  int n_told_ = 0;
};

/// Prints one line for each failure. A step that is_failure() always makes the run fail.
/// @param check  the run also fails if a check failed or its value is not a number, and if a step
/// did
///               not converge. Checks without data and checks that were not reached are reported
/// @return exit code
int verdict(const RunSummary& summary, bool check);

}  // namespace nodia::cli
