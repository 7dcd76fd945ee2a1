/// Progress bar with the remaining time, for terminals.
#pragma once

#include <chrono>
#include <string>

namespace nodia::cli {

/// Duration as text: `12 s`, `3:07 min` or `1:02 h`.
std::string duration(double s);

/// Items that a progress bar counts.
struct Counted {
  const char* what = "step";  ///< name of an item
  int before = 0;             ///< items that were done before this process started
  bool with_rate = false;     ///< shows the number of items per hour
};

/// Text of the bar, at most 72 characters.
/// @param elapsed_s  time since the process started [s]
std::string progress_line(int done, int total, double elapsed_s, const Counted& counted = {});

/// Draws the bar on stderr, at most ten times per second. Draws nothing if stderr is not a
/// terminal.
class Progress {
 public:
  explicit Progress(int total, const Counted& counted = {});
  ~Progress() { clear(); }
  void update(int done);
  /// Erases the bar, such that a message can be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  int total_;
  Counted counted_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_, last_;
};

}  // namespace nodia::cli
