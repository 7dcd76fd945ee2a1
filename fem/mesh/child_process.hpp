/// Runs another program and collects its output.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace nodia {

enum class ChildEnd {
  exited,       ///< with an exit code
  crashed,      ///< by a signal
  out_of_time,  ///< killed at its time limit
  not_started   ///< the operating system reported an error
};

struct ChildOutput {
  ChildEnd end = ChildEnd::not_started;
  int code = 0;        ///< exit code, number of the signal, or errno of the start
  std::string output;  ///< standard output; standard error is dropped
};

/// Starts words[0] with the arguments that follow it, without standard input, and waits for its
/// end.
ChildOutput run_child(const std::vector<std::string>& words, std::chrono::seconds time_limit);

}  // namespace nodia
