#include "scenarios/format/draw_seed.hpp"

#include <fmt/format.h>

#include <cmath>

#include "scenarios/format/portable_math.hpp"

namespace nodia {
namespace {

/// SplitMix64's output function: a bijection of 64 bits that mixes them well.
std::uint64_t mix(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Episode 0 at its first attempt is what the seed alone draws.
std::uint64_t state_of(const DrawSeed& draw) {
  const std::uint64_t state = mix(draw.seed);
  if (draw.episode == 0 && draw.attempt == 0) return state;
  return mix(mix(state + draw.episode) + draw.attempt);
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
  bits_ = mix(state_of(draw) ^ hash);
}

DrawStream DrawStream::at(std::uint64_t number) const {
  return DrawStream(mix(mix(~bits_) + number));
}

double DrawStream::unit(std::uint64_t counter) const {
  const std::uint64_t bits = counter > 0 ? mix(bits_ + counter) : bits_;
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// By the polar method: of points in a square those in the disc of radius 1.
double DrawStream::normal() const {
  for (std::uint64_t counter = 1;; counter += 2) {
    const double x = 2 * unit(counter) - 1, y = 2 * unit(counter + 1) - 1;
    const double s = x * x + y * y;
    if (s > 0 && s < 1) return x * std::sqrt(-2 * portable::logarithm(s) / s);
  }
}

double draw_unit(const DrawSeed& draw, const std::string& key, std::uint64_t counter) {
  return DrawStream(draw, key).unit(counter);
}

}  // namespace nodia
