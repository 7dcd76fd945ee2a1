/// The bodies of one scene as one system of rows: soft nodes, frames, robots.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "fem/frame_model.hpp"
#include "fem/robot_model.hpp"
#include "fem/tet_model.hpp"
#include "host/problem/contact_points.hpp"
#include "host/problem/topology_pool.hpp"
#include "host/simulation/state.hpp"

namespace nodia {

class BodySystem {
 public:
  /// Joints and couplings may be added to frames() and as `extra` before finish().
  explicit BodySystem(const Scene& scene);
  /// Fixes the topology.
  /// @param extra  pairs of rows that something else couples
  /// @param pool   of the topologies that equal scenes share
  void finish(const std::vector<std::pair<std::int32_t, std::int32_t>>& extra, TopologyPool* pool);

  const BodyLayout& layout() const { return layout_; }
  const TetModel& soft() const { return soft_; }
  FrameModel& frames() { return frames_; }
  const FrameModel& frames() const { return frames_; }
  const RobotModel& robot(int r) const { return robots_[static_cast<std::size_t>(r)]; }
  int n_robot() const { return static_cast<int>(robots_.size()); }
  const std::shared_ptr<const Topology>& topology() const { return topology_; }
  /// Of the topology.
  const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }
  /// Per row, see ContactProblem::mass; those of robots are of the last update_kinematics.
  const std::vector<double>& mass() const { return mass_; }
  /// Rest lengths and poses of a cable's links at t = 0.
  const std::vector<RodLink>& links(int cable) const {
    return links_[static_cast<std::size_t>(cable)];
  }
  State initial_state() const;

  /// Link poses and Jacobians of robots below are of the last state given here.
  void update_kinematics(const State& state);
  /// A's values and b of all rows, contacts and mounts of robots left out; after
  /// update_kinematics(state).
  /// @param soft_diagonal, soft_force  of attachments, per node [kg/s], [N]
  void assemble(const State& state, const std::vector<double>& soft_diagonal,
                const std::vector<Vec3d>& soft_force, int n_thread, double* value, Vec3d* b);
  /// Per row, see ContactProblem::position.
  void positions(const State& state, Vec3d* position) const;
  /// Goes to the end of the step. @return whether it is finite; the state is left as it was where
  /// it is not
  bool advance(const Vec3d* v_hat, State* state);

  double kinetic_energy(const State& state) const;  ///< [J]
  /// Elastic and of gravity; the joints of frames() count as elastic [J].
  double potential_energy(const State& state);

  /// Parts of the velocity of a point on a frame: d(point) = sum J v[row], as points.add takes
  /// them.
  void add_frame_point(const State& state, int frame, Vec3d point, ContactPoints* points) const;
  /// The same on a robot's link.
  void add_link_point(int robot, int link, Vec3d point, ContactPoints* points) const;
  /// Rows and Jacobians of a link's point velocity and angular velocity, n_row() of the robot each.
  void link_jacobians(int robot, int link, Vec3d point, std::vector<Mat3d>* linear,
                      std::vector<Mat3d>* angular) const;

 private:
  std::vector<Body> bodies() const;
  std::vector<Vec3d> rest() const;
  RobotControl control_of(int robot, double time_s) const;
  FrameModel::Step frame_step(const State& state) const;

  const Scene& scene_;
  BodyLayout layout_;
  TetModel soft_;
  FrameModel frames_;
  std::vector<RobotModel> robots_;
  std::vector<std::vector<double>> start_q_;
  std::vector<std::vector<Pose>> start_link_;  ///< per robot: link poses at t = 0
  std::vector<std::vector<RodLink>> links_;
  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double> mass_;
  // Arrays over frames as FrameModel takes them.
  mutable std::vector<Vec3d> position_, external_;
  mutable std::vector<Quaternion> orientation_;
};

}  // namespace nodia
