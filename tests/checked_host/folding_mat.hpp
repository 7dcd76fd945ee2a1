/// Scenario of a mat that is folded over itself by its edge; it has only soft bodies and obstacles.
#pragma once

#include "tests/checked_host/both_backends.hpp"

namespace nodia::test {

/// Mat that touches itself from about step 115 on.
inline ScenarioBatch folding_mat(Precision precision, int n_node,
                                 const std::vector<std::string>& more = {}) {
  std::vector<std::string> overrides = {
      "checks={}",
      "randomize={}",
      "time.step_s=0.01",
      "obstacles={floor: {shape: half_space, friction: 0.3}}",
      "bodies.mat.self_contact=true",
      "bodies.mat.mesh={mat: {size_m: [0.3, 0.1, 0.004], nodes: " + std::to_string(n_node) + "}}",
      "attachments={grip: {body: mat, node_set: x_max, stiffness_N_m: 500, position_m: [0.3, 0.05, "
      "0.0025], path: [{time_s: 0.1}, {time_s: 0.6, position_m: [0.24, 0.05, 0.11], "
      "orientation_wxyz: [0.7071068, 0, -0.7071068, 0]}, {time_s: 1.2, position_m: [0.06, 0.05, "
      "0.03], orientation_wxyz: [0, 0, -1, 0]}, {time_s: 1.5, position_m: [0.06, 0.05, 0.008]}]}}"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return {"scenarios/soft_mat/soft_mat.yaml", precision, overrides};
}

}  // namespace nodia::test
