/// Random orders of the race detector and the validation of its options.
#include "tests/devices/race_detector/launcher.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "kernels/core/error.hpp"

namespace nodia {

void RaceOptions::validate() const {
  require(n_block >= 1, "n_block", n_block, ">= 1", "blocks of the grid");
}

RaceDetector::RaceDetector(const RaceOptions& options) : options_(options), random_(options.seed) {
  options.validate();
  shadow_.strict_regions = options.strict_regions;
  shadow_.throw_on_conflict = options.throw_on_conflict;
}

int RaceDetector::draw(int n) {
  // Scales the upper half of the generator's bits to [0, n).
  return static_cast<int>(((random_() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
}

const std::vector<int>& RaceDetector::draw_order(int n_lane) {
  if (n_lane > RaceShadow::kMaxLanes)
    throw_bad_value("lanes", n_lane, fmt::format("<= {}", RaceShadow::kMaxLanes), "of a block");
  order_.resize(n_lane);
  std::iota(order_.begin(), order_.end(), 0);
  for (int l = n_lane - 1; l > 0; --l) std::swap(order_[l], order_[draw(l + 1)]);
  return order_;
}

}  // namespace nodia
