/// A progress bar with the time left, for a person at a terminal.
#pragma once

#include <chrono>
#include <string>

namespace nodia::cli {

/// `12 s`, `3:07 min`, `1:02 h`.
std::string duration(double s);

/// What is counted.
struct Counted {
  const char* what = "step";
  int before = 0;          ///< done before this process began
  bool with_rate = false;  ///< tells how many are done an hour
};

/// One line of 72 characters at most.
/// @param elapsed_s  since the process began [s]
std::string progress_line(int done, int total, double elapsed_s, const Counted& counted = {});

/// Draws on stderr, at most ten times a second; draws nothing where stderr is not a terminal.
class Progress {
 public:
  explicit Progress(int total, const Counted& counted = {});
  ~Progress() { clear(); }
  void update(int done);
  /// Takes the line away, so that messages stand alone.
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
