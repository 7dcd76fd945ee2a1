#include "tools/compare/accuracy_cases.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "fem/mesh/meshers.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "tools/compare/refinement.hpp"

namespace nodia::studies {
namespace {

constexpr const char *kMat = "soft_mat/soft_mat.yaml", *kBall = "soft_ball/soft_ball.yaml",
                     *kGripper = "soft_gripper/soft_gripper.yaml";
constexpr bool kLarge = true;

bool by_rule(const AccuracyCase& a, const std::string& word) {
  if (word.find_first_of("*?") != std::string::npos) return fnmatch(word.c_str(), a.name, 0) == 0;
  return std::string(a.name).rfind(word, 0) == 0;
}

/// Copy of the scene whose first soft body has the mesh of a ball with the same radius.
Scene with_ball(const Scene& scene, int n_node) {
  Scene finer = scene;
  TetMesh& mesh = finer.soft_bodies.front().mesh;
  double radius = 0;
  for (const Vec3d& p : mesh.nodes) radius = std::max(radius, norm(p));
  mesh = mesh_ball(radius, n_node);
  return finer;
}

}  // namespace

const std::vector<AccuracyCase>& accuracy_cases() {
  static const std::vector<AccuracyCase> cases{
      {"box_sliding", "box_sliding/box_sliding.yaml"},
      {"anisotropic_box", "anisotropic_box/anisotropic_box.yaml"},
      {"cable_benchmark", "cable_benchmark/cable_benchmark.yaml"},
      {"cable_winding", "cable_winding/cable_winding.yaml"},
      {"grip_creep", "grip_creep/grip_creep.yaml"},
      {"grip_creep/plates", "grip_creep/plates.yaml"},
      {"mat_folding", "mat_folding/mat_folding.yaml"},
      {"quick_lift", "quick_lift/quick_lift.yaml"},
      {"soft_mat", kMat},
      {"soft_mat/10MPa", kMat, "bodies.mat.youngs_modulus_Pa=1e7"},
      {"soft_mat/mu1.5", kMat, "bodies.mat.friction=1.5"},
      {"soft_mat/6k", kMat, "", Remesh::mat, 6000},
      {"soft_mat/25k", kMat, "", Remesh::mat, 25000, kLarge},
      {"soft_mat/100k", kMat, "", Remesh::mat, 100000, kLarge},
      {"soft_ball", kBall},
      {"soft_ball/0.1MPa", kBall, "bodies.ball.youngs_modulus_Pa=1e5"},
      {"soft_ball/10MPa", kBall, "bodies.ball.youngs_modulus_Pa=1e7"},
      {"soft_ball/mu1.5", kBall, "bodies.ball.friction=1.5"},
      {"soft_ball/5k", kBall, "", Remesh::ball, 5000},
      {"soft_ball/22k", kBall, "", Remesh::ball, 22000, kLarge},
      {"soft_gripper", kGripper},
      {"soft_gripper/0.1MPa", kGripper, "bodies.fingers.youngs_modulus_Pa=1e5"},
      {"soft_gripper/1MPa", kGripper, "bodies.fingers.youngs_modulus_Pa=1e6"},
  };
  return cases;
}

std::vector<AccuracyCase> choose_cases(const std::vector<std::string>& words) {
  const std::vector<AccuracyCase>& all = accuracy_cases();
  std::vector<bool> chosen(all.size(), false);
  for (std::size_t k = 0; words.empty() && k < all.size(); ++k) chosen[k] = !all[k].large;
  for (const std::string& word : words) {
    const auto exact =
        std::find_if(all.begin(), all.end(), [&](const AccuracyCase& a) { return word == a.name; });
    if (exact != all.end()) {
      chosen[static_cast<std::size_t>(exact - all.begin())] = true;
      continue;
    }
    std::vector<std::string> names, left_out;
    bool any = false;
    for (std::size_t k = 0; k < all.size(); ++k) {
      names.emplace_back(all[k].name);
      if (word.empty() || !by_rule(all[k], word)) continue;
      if (all[k].large) {
        left_out.emplace_back(all[k].name);
        continue;
      }
      chosen[k] = any = true;
    }
    if (any) continue;
    if (!left_out.empty())
      throw_bad_value("--cases", word, "the full name of a case that takes long",
                      fmt::format("{}", fmt::join(left_out, ", ")));
    throw_bad_value("--cases", word, "a case's name, its beginning, or a pattern with * and ?",
                    fmt::format("did you mean {}?", nearest_name(word, names)));
  }
  std::vector<AccuracyCase> cases;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (chosen[k]) cases.push_back(all[k]);
  return cases;
}

Scenario load_case(const AccuracyCase& which, const std::string& scenarios) {
  std::vector<std::string> settings;
  if (*which.setting) settings.emplace_back(which.setting);
  // Settings that COND needs for this scenario (scenarios/soft_gripper/README.md). Other solvers
  // ignore these keys.
  if (std::string(which.file) == kGripper)
    settings.insert(settings.end(), {"solver.solver=cond", "solver.acceleration=nesterov",
                                     "solver.virtual_gain=100"});
  Scenario scenario = load_scenario(scenarios + "/" + which.file, settings);
  if (which.remesh == Remesh::mat) scenario.scene = refined(scenario.scene, which.n_node);
  if (which.remesh == Remesh::ball) scenario.scene = with_ball(scenario.scene, which.n_node);
  return scenario;
}

}  // namespace nodia::studies
