/// Contact forces per pair and per object against balances of forces and against all contacts.
#include "host/io/contact_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "fem/robot/urdf.hpp"
#include "host/io/steps_csv.hpp"
#include "host/solvers/solver_options.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/source_file.hpp"

namespace nodia::test {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text + ",");
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

/// Fields of one row by their columns' names.
struct Row {
  std::map<std::string, std::string> fields;

  Row(const StepsCsvColumns& columns, const StepView& view) {
    const std::vector<std::string> names = split(columns.header()),
                                   values = split(columns.row(view));
    EXPECT_EQ(names.size(), values.size());
    for (std::size_t k = 0; k < std::min(names.size(), values.size()); ++k)
      EXPECT_TRUE(fields.emplace(names[k], values[k]).second) << names[k] << " twice";
  }
  double number(const std::string& name) const {
    const auto found = fields.find(name);
    if (found == fields.end() || found->second.empty()) {
      ADD_FAILURE() << "no " << name;
      return std::nan("");
    }
    return std::stod(found->second);
  }
  Vec3d force(const std::string& group) const {
    return {number(group + "_fx_N"), number(group + "_fy_N"), number(group + "_fz_N")};
  }
};

RigidBodyDescription ball(const std::string& name, double mass, Vec3d position) {
  RigidBodyDescription body;
  body.name = name;
  body.shape.kind = ShapeKind::sphere;
  body.shape.radius = 0.02;
  body.mass_kg = mass;
  body.inertia_kg_m2 = solid_inertia(body.shape, mass);
  body.pose.position = position;
  return body;
}

/// A soft box on the floor under a rigid ball, a cable over both, a gripper that presses on the box
/// and holds a ball by its palm, and a wall beside them.
Scene everything() {
  Scene scene = box_scene({0.1, 0.1, 0.04}, {4, 4, 2}, {-0.05, -0.05, 0.0005});
  scene.gravity_m_s2 = {0, 0, -9.81};
  scene.soft_bodies[0].self_contact = true;
  scene.obstacles.push_back(floor_obstacle(0.4));
  scene.obstacles.push_back(floor_obstacle(0.4));
  scene.obstacles[1].name = "wall";
  scene.obstacles[1].path.keys.push_back(
      {0, {0.0515, 0, 0}, quaternion_from_rotation(rotation_exp({0, -M_PI / 2, 0}))});
  scene.rigid_bodies.push_back(ball("ball", 0.05, {0.005, 0.003, 0.062}));
  scene.rigid_bodies.push_back(ball("held", 0.05, {-0.03, 0, 0.3}));
  CableDescription cable;
  cable.name = "cable";
  cable.points_m = {{-0.1, 0.03, 0.045}, {0.1, 0.03, 0.045}};
  cable.links = 20;
  cable.material.damping_s = 1e-3;
  cable.self_contact = cable.contact == RodContact::segments;
  scene.cables.push_back(cable);
  RobotSceneDescription gripper;
  gripper.name = "gripper";
  gripper.robot = read_urdf(source_file("scenarios/assets/free_gripper/free_gripper.urdf"));
  gripper.base.position = {-0.03, 0, 0.19};
  gripper.base.rotation = rotation_exp({M_PI, 0, 0});
  gripper.joint_drives.push_back({"base_z", 3000, 100, {{0, 0}, {0.1, 0.05}}});
  scene.robots.push_back(gripper);
  MountDescription mount;
  mount.name = "mount";
  mount.body = "held";
  mount.robot = "gripper";
  mount.link = "palm";
  mount.stiffness_N_m = 1000;
  mount.stiffness_Nm_rad = 1;
  scene.mounts.push_back(mount);
  return scene;
}

/// Sums of forces do not ask whether these have converged.
SolverOptions rough() {
  SolverOptions options;
  options.solver = "cond";
  options.max_iterations = 200;
  options.execution.threads = 1;
  return options;
}

SolverOptions exact() {
  SolverOptions options = tight(1e-11);
  options.execution.threads = 1;
  return options;
}

/// Every contact is in exactly one pair, and what a body feels is the sum over its pairs: forces by
/// others, whose negative the others feel.
TEST(ContactColumns, PairsAddUpToBodiesAndToAllContacts) {
  const Scene scene = everything();
  const std::vector<std::string> names = Objects(scene).names();
  const StepsCsvColumns columns(scene, ContactGroups::pairs);
  Simulation simulation({scene}, rough());
  int touching = 0;
  for (int k = 0; k < 15; ++k) {
    simulation.step([&](const StepView& view) {
      const Row row(columns, view);
      std::map<std::string, Vec3d> sum;
      std::map<std::string, double> normal;
      int n = 0, n_stick = 0, n_slip = 0;
      for (const auto& [a, b] : touching_pairs(scene)) {
        const std::string& one = names[static_cast<std::size_t>(a)];
        const std::string& other = names[static_cast<std::size_t>(b)];
        const std::string pair = "contact_" + one + "_" + other;
        const Vec3d force = row.force(pair);
        sum[one] += force;
        sum[other] -= force;
        normal[one] += row.number(pair + "_normal_N");
        if (a != b) normal[other] += row.number(pair + "_normal_N");
        if (a == b) {
          EXPECT_EQ(norm(force), 0);
        }
        n += static_cast<int>(row.number(pair + "_n"));
        n_stick += static_cast<int>(row.number(pair + "_n_stick"));
        n_slip += static_cast<int>(row.number(pair + "_n_slip"));
        EXPECT_LE(norm(force), 1.5 * row.number(pair + "_normal_N") + 1e-12) << pair;
        touching += row.number(pair + "_n_stick") + row.number(pair + "_n_slip") > 0;
      }
      EXPECT_EQ(n, view.record.n_contact);
      EXPECT_EQ(n_stick, view.record.n_stick);
      EXPECT_EQ(n_slip, view.record.n_slip);
      for (const std::string& name : names) {
        EXPECT_LT(norm(row.force("contact_" + name) - sum[name]), 1e-9) << name;
        EXPECT_NEAR(row.number("contact_" + name + "_normal_N"), normal[name], 1e-9) << name;
      }
      const Vec3d obstacles = row.force("contact_floor") + row.force("contact_wall");
      EXPECT_LT(norm(obstacles + view.record.obstacle_force_N), 1e-9);
    });
  }
  EXPECT_GT(touching, 15 * 3);
}

/// Two boxes on top of each other: what they feel is known by statics.
TEST(ContactColumns, AWeightAtRest) {
  Scene scene;
  scene.name = "rest";
  scene.rigid_bodies.push_back(ball("lower one", 1, {0, 0, 0.0201}));
  scene.rigid_bodies.push_back(ball("upper", 2, {0, 0, 0.0602}));
  for (RigidBodyDescription& body : scene.rigid_bodies) {
    body.shape.kind = ShapeKind::box;
    body.shape.size = {0.04, 0.04, 0.04};
    body.inertia_kg_m2 = solid_inertia(body.shape, body.mass_kg);
  }
  scene.obstacles.push_back(floor_obstacle(0.5));
  const StepsCsvColumns columns(scene);
  Simulation simulation({scene}, exact());
  for (int k = 0; k < 60; ++k) simulation.step();
  simulation.step([&](const StepView& view) {
    const Row row(columns, view);
    const double g = 9.81;
    EXPECT_LT(norm(row.force("contact_lower_one_upper") - Vec3d{0, 0, -2 * g}), 1e-6);
    EXPECT_LT(norm(row.force("contact_lower_one_floor") - Vec3d{0, 0, 3 * g}), 1e-6);
    EXPECT_LT(norm(row.force("contact_lower_one") - Vec3d{0, 0, g}), 1e-6);
    EXPECT_LT(norm(row.force("contact_upper") - Vec3d{0, 0, 2 * g}), 1e-6);
    EXPECT_LT(norm(row.force("contact_floor") - Vec3d{0, 0, -3 * g}), 1e-6);
    EXPECT_NEAR(row.number("contact_lower_one_normal_N"), 5 * g, 1e-6);
    EXPECT_EQ(row.number("contact_upper_floor_n"), 0);
    EXPECT_EQ(row.number("contact_lower_one_floor_n_slip"), 0);
    EXPECT_GE(row.number("contact_lower_one_floor_n_stick"), 3);
    EXPECT_LT(row.number("contact_floor_max_slip_m_s"), 1e-8);
  });
}

/// A box that slides: its speed is the slip, its friction mu times its weight.
TEST(ContactColumns, ASlidingBox) {
  Scene scene;
  scene.name = "slide";
  scene.rigid_bodies.push_back(ball("box", 2, {0, 0, 0.02}));
  scene.rigid_bodies[0].shape.kind = ShapeKind::box;
  scene.rigid_bodies[0].shape.size = {0.2, 0.2, 0.04};
  scene.rigid_bodies[0].inertia_kg_m2 = solid_inertia(scene.rigid_bodies[0].shape, 2);
  scene.rigid_bodies[0].velocity_m_s = {1, 0, 0};
  scene.rigid_bodies[0].friction = 0;
  scene.obstacles.push_back(floor_obstacle(0.3));
  const StepsCsvColumns columns(scene);
  Simulation simulation({scene}, exact());
  for (int k = 0; k < 5; ++k) simulation.step();
  simulation.step([&](const StepView& view) {
    const Row row(columns, view);
    EXPECT_LT(norm(row.force("contact_box_floor") - 2 * 9.81 * Vec3d{-0.3, 0, 1}), 1e-6);
    EXPECT_EQ(row.number("contact_box_floor_n_slip"), row.number("contact_box_floor_n"));
    EXPECT_NEAR(row.number("contact_box_floor_max_slip_m_s"), 1 - 6 * 0.3 * 9.81 * 0.01, 1e-6);
  });
}

TEST(ContactColumns, AreChosen) {
  const Scene scene = everything();
  const auto header = [&](ContactGroups groups) {
    return ContactColumns(scene, groups, {}).header();
  };
  EXPECT_EQ(header(ContactGroups::none), "");
  EXPECT_EQ(header(ContactGroups::automatic), header(ContactGroups::pairs));
  EXPECT_EQ(header(ContactGroups::bodies).rfind(",contact_box_fx_N,contact_box_fy_N", 0), 0u);
  EXPECT_EQ(header(ContactGroups::pairs).rfind(",contact_box_box_fx_N", 0), 0u);
  EXPECT_EQ(split(header(ContactGroups::bodies)).size(), 1 + 8 * 7u);
  EXPECT_EQ(split(header(ContactGroups::pairs)).size(),
            1 + 8 * (7u + touching_pairs(scene).size()));
}

/// From 65 pairs on there are bodies alone.
TEST(ContactColumns, OfManyPairsAreThoseOfBodies) {
  Scene scene;
  for (int k = 0; k < 11; ++k) scene.rigid_bodies.push_back(ball("b" + std::to_string(k), 1, {}));
  const auto header = [&](ContactGroups groups) {
    return ContactColumns(scene, groups, {}).header();
  };
  EXPECT_EQ(touching_pairs(scene).size(), 55u);
  EXPECT_EQ(header(ContactGroups::automatic), header(ContactGroups::pairs));
  scene.obstacles.push_back(floor_obstacle(0.5));
  EXPECT_EQ(touching_pairs(scene).size(), 66u);
  EXPECT_EQ(header(ContactGroups::automatic), header(ContactGroups::bodies));
}

TEST(ContactColumns, HaveNamesOfTheirOwn) {
  Scene scene;
  for (const char* name : {"a", "b", "a_b", "b-c", "b_c"})
    scene.rigid_bodies.push_back(ball(name, 1, {}));
  MountDescription& mount = scene.mounts.emplace_back();
  mount.name = "contact_a";
  const StepsCsvColumns columns(scene);
  const std::vector<std::string> names = split(columns.header());
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  // An object that touches nothing has none.
  Scene alone;
  alone.rigid_bodies.push_back(ball("a", 1, {}));
  EXPECT_EQ(ContactColumns(alone, ContactGroups::pairs, {}).header(), "");
}

TEST(ContactColumns, AreEmptyWhereAStepFails) {
  Scene scene;
  scene.rigid_bodies.push_back(ball("ball", 1, {0, 0, 0.02}));
  scene.obstacles.push_back(floor_obstacle(0.3));
  const StepsCsvColumns columns(scene);
  Simulation simulation({scene}, rough());
  State state = simulation.state();
  state.v[0].x = std::nan("");
  simulation.set_state(0, state);
  bool seen = false;
  simulation.step([&](const StepView& view) {
    seen = true;
    const Row row(columns, view);
    EXPECT_EQ(row.fields.at("status"), "not_a_number");
    EXPECT_EQ(row.fields.at("contact_ball_floor_fz_N"), "");
    EXPECT_EQ(row.fields.at("contact_ball_n"), "");
  });
  EXPECT_TRUE(seen);
}

/// The columns are those of environment 0; every environment fills them with its own forces.
TEST(ContactColumns, OfABatchAreEveryEnvironmentsOwn) {
  std::vector<Scene> scenes;
  for (const double mass : {1.0, 3.0}) {
    Scene& scene = scenes.emplace_back();
    scene.rigid_bodies.push_back(ball("ball", mass, {0, 0, 0.02}));
    scene.obstacles.push_back(floor_obstacle(0.3));
  }
  scenes[1].rigid_bodies.push_back(ball("more", 1, {1, 0, 0.02}));
  scenes[1].obstacles.push_back(floor_obstacle(0.3));
  scenes[1].obstacles[1].name = "another";
  scenes[1].obstacles[1].path.keys.push_back({0, {0, 0, -1}, {}});
  const StepsCsvColumns columns(scenes[0]);
  Simulation simulation(scenes, exact());
  for (int k = 0; k < 30; ++k) simulation.step();
  simulation.step([&](const StepView& view) {
    const double weight = (view.record.env == 0 ? 1 : 3) * 9.81;
    const Row row(columns, view);
    EXPECT_NEAR(row.number("contact_ball_floor_fz_N"), weight, 1e-6);
    EXPECT_NEAR(row.number("contact_ball_fz_N"), weight, 1e-6);
  });
}

}  // namespace
}  // namespace nodia::test
