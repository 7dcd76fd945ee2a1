/// Counter-based random numbers. Each number is a hash of its seed, its key and its counter.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace nodia {

/// Seed of the random numbers of an episode. Different DrawSeeds give independent numbers.
struct DrawSeed {
  DrawSeed() = default;
  /// A seed alone means episode 0, first attempt.
  DrawSeed(std::uint64_t seed_of_all, std::uint64_t episode_of_it = 0, std::uint32_t attempt_at = 0)
      : seed(seed_of_all), episode(episode_of_it), attempt(attempt_at) {}

  std::uint64_t seed = 0;
  std::uint64_t episode = 0;
  std::uint32_t attempt = 0;  ///< number of rejected starts of the episode

  bool operator==(const DrawSeed&) const = default;
};

/// Text for messages: `seed 7`, `seed 7, episode 3` or `seed 7, episode 3, attempt 1`.
std::string shown(const DrawSeed& draw);

/// Random numbers of one key, by counter. A number does not depend on earlier calls.
class DrawStream {
 public:
  DrawStream(const DrawSeed& draw, const std::string& key);

  /// Substream with a number. Substreams are independent of each other and of this stream.
  DrawStream at(std::uint64_t number) const;
  /// Uniform in [0, 1).
  double unit(std::uint64_t counter = 0) const;
  /// Uniform point in the unit disc without its centre: x, y, x^2 + y^2.
  std::array<double, 3> in_disc() const;
  /// Standard normal.
  double normal() const;

 private:
  explicit DrawStream(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t bits_;
};

/// Uniform number in [0, 1), a function of its arguments.
/// @param counter  distinguishes several numbers of one key
double draw_unit(const DrawSeed& draw, const std::string& key, std::uint64_t counter = 0);

}  // namespace nodia
