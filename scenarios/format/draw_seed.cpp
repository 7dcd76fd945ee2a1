#include "scenarios/format/draw_seed.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernels/core/splitmix.hpp"
#include "scenarios/format/portable_math.hpp"

namespace nodia {
namespace {

/// Episode 0 at its first attempt has the state of the seed alone.
std::uint64_t state_of(const DrawSeed& draw) {
  const std::uint64_t state = splitmix64(draw.seed);
  if (draw.episode == 0 && draw.attempt == 0) return state;
  return splitmix64(splitmix64(state + draw.episode) + draw.attempt);
}

}  // namespace

std::string shown(const DrawSeed& draw) {
  std::string text = fmt::format("seed {}", draw.seed);
  if (draw.episode != 0 || draw.attempt != 0) text += fmt::format(", episode {}", draw.episode);
  if (draw.attempt != 0) text += fmt::format(", attempt {}", draw.attempt);
  return text;
}

DrawStream::DrawStream(const DrawSeed& draw, const std::string& key) {
  std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  bits_ = splitmix64(state_of(draw) ^ hash);
}

DrawStream DrawStream::at(std::uint64_t number) const {
  return DrawStream(splitmix64(splitmix64(~bits_) + number));
}

double DrawStream::unit(std::uint64_t counter) const {
  const std::uint64_t bits = counter > 0 ? splitmix64(bits_ + counter) : bits_;
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// Rejection sampling: the first point of the square that is in the disc.
std::array<double, 3> DrawStream::in_disc() const {
  for (std::uint64_t counter = 1;; counter += 2) {
    const double x = 2 * unit(counter) - 1, y = 2 * unit(counter + 1) - 1;
    const double s = x * x + y * y;
    if (s > 0 && s < 1) return {x, y, s};
  }
}

/// Polar method.
double DrawStream::normal() const {
  const auto [x, y, s] = in_disc();
  return x * std::sqrt(-2 * portable::logarithm(s) / s);
}

double draw_unit(const DrawSeed& draw, const std::string& key, std::uint64_t counter) {
  return DrawStream(draw, key).unit(counter);
}

}  // namespace nodia
