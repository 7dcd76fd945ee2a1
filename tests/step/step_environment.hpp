/// Soft bodies and obstacles in the middle of a step, with the contacts of the host and the arrays
/// from which kernels/step makes the same contacts.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/simulation/contact_finder.hpp"
#include "host/simulation/targets.hpp"
#include "host/solvers/cond/loop_problem.hpp"
#include "kernels/step/soft_contacts.hpp"
#include "kernels/step/soft_rows.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/fem_random.hpp"
#include "tests/support/launchers.hpp"

namespace nodia::test {

/// Scene in the middle of a step, with the host's assembly and contacts.
struct StepEnvironment {
  Scene scene;
  BodySystem system;
  std::vector<Path> paths;
  ContactFinder finder;
  State state;
  std::vector<Vec3d> v_free, b;
  BlockMatrix A;
  StepContacts found;
  std::vector<ObstaclePose> pose;
  bool is_inactive = false;

  /// @param place     maps a node's position in the scene to its position in the step
  /// @param distance  largest random displacement [m]
  /// @param speed     largest random speed [m/s]
  template <class Place>
  StepEnvironment(Scene of, unsigned seed, const Place& place, double distance, double speed)
      : scene(std::move(of)), system(scene), paths(paths_of(scene)), finder(scene, paths, system) {
    TopologyPool pool;
    system.fix_topology({}, &pool);
    state = system.initial_state();
    FemRandom random(seed);
    for (std::size_t i = 0; i < state.x.size(); ++i) {
      state.x[i] = place(state.x[i]) + random.vector(distance);
      state.v[i] = random.vector(speed);
      v_free.push_back(random.vector(speed));
    }
    system.update_kinematics(state);
    A = BlockMatrix(system.pattern());
    b.resize(state.x.size());
    const std::vector<double> diagonal(b.size());
    const std::vector<Vec3d> force(b.size());
    system.assemble({state, Targets::of(scene, system), diagonal, force, 1, nullptr},
                    A.value.data(), b.data());
    finder.find(state, system, v_free, {}, 1, &found);
    for (const ObstacleDescription& o : scene.obstacles)
      pose.push_back(
          {o.shape, o.path.at(state.time_s), o.path.at(state.time_s + scene.time.step_s)});
  }
  StepEnvironment(const StepEnvironment&) = delete;  // the system refers to the scene
  StepEnvironment& operator=(const StepEnvironment&) = delete;

  int n_node() const { return static_cast<int>(state.x.size()); }
  int n_obstacle() const { return static_cast<int>(paths.size()); }
  int n_place() const { return n_node() * n_obstacle(); }
  int n_body() const { return static_cast<int>(scene.soft_bodies.size()); }

 private:
  static std::vector<Path> paths_of(const Scene& scene) {
    std::vector<Path> paths;
    for (const ObstacleDescription& o : scene.obstacles) paths.push_back(o.path);
    return paths;
  }
};

/// Problem of several environments, without contacts.
template <class Environment>
void join_rows(const std::deque<Environment>& env, ContactProblem* p) {
  std::vector<std::shared_ptr<const BlockPattern>> patterns;
  for (const Environment& e : env) patterns.push_back(e.system.pattern());
  p->A = BlockMatrix(BlockPattern::concatenate(patterns));
  std::ptrdiff_t first_value = 0;
  for (const Environment& e : env) {
    const std::ptrdiff_t n_value = 9 * std::ptrdiff_t{e.A.pattern->n_block()};
    std::copy_n(e.A.value.begin(), n_value, p->A.value.begin() + first_value);
    first_value += n_value;
    p->b.insert(p->b.end(), e.b.begin(), e.b.end());
    p->env_node_begin.push_back(p->n_node());
  }
}

/// Names an array for the race detector. @param guard  number of values at its end to leave out
template <class Array>
void name_array(RaceDetector* launcher, const char* what, const Array& array,
                std::size_t guard = 0) {
  if (array.size() > guard)
    launcher->name_region(array.data(), (array.size() - guard) * sizeof(array[0]), what);
}

/// Nodes of an environment, and their candidate pairs with obstacles.
struct NodeArrays {
  std::vector<Vec3d> x, v, v_free;
  std::vector<PaddedNode> padded_x, corner;
  std::vector<std::int32_t> row, node;
  std::vector<std::uint8_t> flag;
  std::vector<PreparedObstacle> prepared;
  std::vector<double> largest;

  /// @param e           index of the environment in the loop
  /// @param first_node  its first node there
  NodeArrays(const StepEnvironment& of, const RowLayout& rows, int e, int first_node)
      : x(of.state.x),
        v(of.state.v),
        v_free(of.v_free),
        padded_x(x.size()),
        node(rows.nodes(e)),
        flag(static_cast<std::size_t>(of.n_place())),
        prepared(static_cast<std::size_t>(of.n_obstacle())),
        largest(static_cast<std::size_t>(item_count(of.n_node()))) {
    for (int i = 0; i < of.n_node(); ++i) row.push_back(rows.local_row(first_node + i));
  }

  SoftRows soft_rows(const StepEnvironment& of) {
    SoftRows s;
    s.model = of.system.soft_bodies().model().view();
    s.step = of.scene.time;
    s.gravity = of.scene.gravity_m_s2;
    s.n_row = static_cast<int>(node.size());
    s.node = node.data();
    s.x = &x[0].x;
    s.v = &v[0].x;
    corner.resize(kSliceNodes * static_cast<std::size_t>(slice_count(s.model.n_tet)));
    s.padded_x = scalars(padded_x);
    s.corner = scalars(corner);
    return s;
  }
  /// Contact data without rules and forces.
  SoftContacts soft_contacts(const StepEnvironment& of) {
    SoftContacts c;
    c.near.n_node = of.is_inactive ? 0 : of.n_node();
    c.near.n_obstacle = of.n_obstacle();
    c.near.reach = {of.scene.contact.margin_m, of.scene.time.step_s};
    c.near.x = {&x[0].x, 3};
    c.near.v = {&v[0].x, 3};
    c.near.v_free = {&v_free[0].x, 3};
    c.near.obstacle = of.pose.data();
    c.near.largest_squared_speed = largest.data();
    c.near.prepared = prepared.data();
    c.near.flag = flag.data();
    c.row = row.data();
    c.v_free = &v_free[0].x;
    return c;
  }
  void name(RaceDetector* launcher, const StepEnvironment& of) const {
    name_array(launcher, "x", x);
    name_array(launcher, "v", v);
    name_array(launcher, "v_free", v_free);
    name_array(launcher, "corner", corner);
    name_array(launcher, "flag", flag);
    name_array(launcher, "prepared", prepared);
    name_array(launcher, "largest", largest);
    name_array(launcher, "obstacle", of.pose);
  }
};

}  // namespace nodia::test
