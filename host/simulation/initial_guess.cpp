#include "host/simulation/initial_guess.hpp"

#include <algorithm>

namespace nodia {

void InitialGuess::clear_forces() {
  force_by_key.clear();
  pair_forces.clear();
}

void InitialGuess::sort_forces() {
  std::sort(force_by_key.begin(), force_by_key.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
}

Vec3d InitialGuess::force(std::uint64_t key) const {
  const auto found =
      std::lower_bound(force_by_key.begin(), force_by_key.end(), key,
                       [](const auto& entry, std::uint64_t k) { return entry.first < k; });
  return found != force_by_key.end() && found->first == key ? found->second : Vec3d{};
}

}  // namespace nodia
