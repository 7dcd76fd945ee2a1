#include "tools/command/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace nodia::cli {
std::string duration(double s) {
  const int whole = static_cast<int>(std::lround(s));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string progress_line(int done, int total, double elapsed_s, const Counted& counted) {
  const int kWidth = counted.with_rate ? 16 : 24;
  const double share = total > 0 ? static_cast<double>(done) / total : 1;
  const int filled = static_cast<int>(share * kWidth);
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  std::string line =
      fmt::format("[{}] {:3.0f} %  {} {}/{}", bar, 100 * share, counted.what, done, total);
  const int own = done - counted.before;
  if (own > 0 && counted.with_rate) line += fmt::format("  {:.0f}/h", 3600 * own / elapsed_s);
  if (own > 0) line += fmt::format("  ETA {}", duration(elapsed_s / own * (total - done)));
  return line;
}

Progress::Progress(int total, const Counted& counted)
    : total_(total),
      counted_(counted),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      last_(start_) {}

void Progress::update(int done) {
  const Clock::time_point now = Clock::now();
  if (!terminal_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  drawn_ = true;
  const double elapsed_s = std::chrono::duration<double>(now - start_).count();
  std::fputs(("\r\x1b[K" + progress_line(done, total_, elapsed_s, counted_)).c_str(), stderr);
  std::fflush(stderr);
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace nodia::cli
