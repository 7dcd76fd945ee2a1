/// Scenario files for tests: a small good one, and what the loader says about a bad one.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "kernels/core/error.hpp"
#include "scenarios/build/scenario.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia::test {

/// A box on a floor, held by one end, beside an obstacle of every analytic kind.
inline const char* const kGoodScenario = R"(name: small
time:
  step_s: 0.01
  duration_s: 0.5
bodies:
  block:
    mesh: {box: {size_m: [0.2, 0.1, 0.05], cells: [2, 1, 1]}}
    youngs_modulus_Pa: 1e5
    position_m: [0, 0, 0.01]
    friction: 0.4
obstacles:
  floor: {shape: half_space}
  crate: {shape: box, size_m: [0.1, 0.1, 0.1], position_m: [1, 0, 0]}
  globe: {shape: sphere, radius_m: 0.1, position_m: [2, 0, 0], friction: 0.7}
  drum: {shape: cylinder, radius_m: 0.1, length_m: 0.3, position_m: [3, 0, 0]}
  pill:
    shape: capsule
    radius_m: 0.1
    length_m: 0.3
    path:
      - {time_s: 0, position_m: [4, 0, 0]}
      - {time_s: 1}
attachments:
  grip:
    body: block
    node_set: x_min
    position_m: [0, 0, 0.01]
    path:
      - {time_s: 0.1}
      - {time_s: 0.2, position_m: [0.1, 0, 0.01]}
friction_pairs:
  - {body: block, obstacle: crate, friction: 0.9}
  - {body: block, obstacle: drum, friction_1: 0.1, friction_2: 0.2}
randomize:
  bodies.block.friction: [0.1, 0.5]
  bodies.block.youngs_modulus_Pa: [5e4, 1e5]
checks:
  weight: {check: weight_on_obstacle, obstacle: floor, from_s: 0.2, to_s: 0.5}
  depth: {check: max_penetration, bound_m: 1e-5}
)";

class ScenarioFile {
 public:
  explicit ScenarioFile(const std::string& text = kGoodScenario) {
    std::ofstream(path(), std::ios::binary) << text;
  }
  std::string path() const { return folder_.file("s.yaml"); }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

/// The good scenario with one passage replaced.
inline std::string with(const std::string& passage, const std::string& replacement) {
  std::string text = kGoodScenario;
  const std::size_t at = text.find(passage);
  if (at == std::string::npos) ADD_FAILURE() << "no passage " << passage;
  return text.replace(at, passage.size(), replacement);
}

/// The loader's message without the folder's name; empty where it accepts.
inline std::string message(const ScenarioFile& file, const std::vector<std::string>& overrides = {},
                           std::optional<std::uint64_t> seed = std::nullopt) {
  try {
    load_scenario(file.path(), overrides, seed);
  } catch (const InputError& error) {
    std::string text = error.what();
    for (std::size_t at; (at = text.find(file.folder().path() + "/")) != std::string::npos;) {
      text.erase(at, file.folder().path().size() + 1);
    }
    return text;
  }
  return "";
}

inline std::string message(const std::string& text) {
  return message(ScenarioFile(text));
}

}  // namespace nodia::test
