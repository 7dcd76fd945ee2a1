/// Numbers by hash, for all that is drawn: each depends on its key and on what draws it alone.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace nodia {

/// What draws the values of an episode. Any two that differ draw independent values.
struct DrawSeed {
  DrawSeed() = default;
  /// A seed alone is its episode 0, at the first attempt.
  DrawSeed(std::uint64_t seed_of_all, std::uint64_t episode_of_it = 0, std::uint32_t attempt_at = 0)
      : seed(seed_of_all), episode(episode_of_it), attempt(attempt_at) {}

  std::uint64_t seed = 0;
  std::uint64_t episode = 0;
  std::uint32_t attempt = 0;  ///< at the episode: counts starts that were invalid

  bool operator==(const DrawSeed&) const = default;
};

/// `seed 7`, `seed 7, episode 3`, `seed 7, episode 3, attempt 1`, for messages.
std::string shown(const DrawSeed& draw);

/// The numbers of one key, each by its counter: not one after another.
class DrawStream {
 public:
  DrawStream(const DrawSeed& draw, const std::string& key);

  /// A stream of its own for each number, independent of this one's.
  DrawStream at(std::uint64_t number) const;
  /// In [0, 1), uniform over draws, keys and counters.
  double unit(std::uint64_t counter = 0) const;
  /// A point in the disc of radius 1 without its centre, uniform: x, y, x^2 + y^2.
  std::array<double, 3> in_disc() const;
  /// Of the standard normal distribution.
  double normal() const;

 private:
  explicit DrawStream(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t bits_;
};

/// A number in [0, 1) that depends on its arguments alone, uniform over each of them.
/// @param counter  of several numbers for one key
double draw_unit(const DrawSeed& draw, const std::string& key, std::uint64_t counter = 0);

}  // namespace nodia
