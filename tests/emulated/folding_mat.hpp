/// A mat on a floor whose edge is laid over its other half and let go, within 200 steps.
#pragma once

#include <string>
#include <vector>

namespace nodia::test {

/// Of scenarios/soft_mat/soft_mat.yaml.
inline std::vector<std::string> folding_mat(int n_node) {
  return {
      "checks={}",
      "randomize={}",
      "bodies.mat.self_contact=true",
      "bodies.mat.friction=0.5",
      "bodies.mat.mesh={mat: {size_m: [0.3, 0.1, 0.004], nodes: " + std::to_string(n_node) + "}}",
      "bodies.mat.position_m=[0, 0, 0.0005]",
      "obstacles={floor: {shape: half_space, friction: 0}}",
      "attachments={grip: {body: mat, node_set: x_max, stiffness_N_m: 500, position_m: [0.3, "
      "0.05, 0.0025], release_time_s: 1.3, path: [{time_s: 0.1}, {time_s: 0.6, position_m: "
      "[0.24, 0.05, 0.11], orientation_wxyz: [0.7071068, 0, -0.7071068, 0]}, {time_s: 1.2, "
      "position_m: [0.06, 0.05, 0.03], orientation_wxyz: [0, 0, -1, 0]}]}}"};
}

}  // namespace nodia::test
