/// A robot of rigid links as rows of a block system: its generalized velocities, three to a row.
///
///   A = M/(theta t) + theta t K + D            b = M/(theta t) qd - h + f_ext + explicit efforts
///
/// M(q) mass matrix, h = C(q, qd) qd + G(q) bias, D viscous damping of the joints and dampers of
/// the drives, K stiffness of the drives, of joint limits in reach, and of gravity (its Hessian,
/// with negative eigenvalues cut to zero; none under gravity compensation). Everything added to
/// M/(theta t) is positive semidefinite.
///
/// Coordinates: one per revolute, continuous or prismatic joint without mimic, three of a planar
/// joint (.x, .y along the plane, .rz about its normal), six of a floating joint (.x, .y, .z, and
/// .rx, .ry, .rz, a rotation vector in the frame of the joint), in the order of the links. The
/// speeds of .rx, .ry and .rz are an angular velocity (kernels/articulated/ tree.hpp), not the
/// derivatives of the coordinates. Row r holds coordinates 3r, 3r+1, 3r+2; what is left of the last
/// row has unit mass, no load and no coupling, and stays at rest.
///
/// Position limits act in a step that is predicted to end beyond one. Inside the limit it is a
/// damper that makes the predicted step end at it, at most kLimitStiffness A_ii, A_ii the
/// coordinate's diagonal without it: it can never pull, whatever contacts do to the step. Beyond
/// the limit it is a spring of stiffness k = kLimitStiffness A_ii/t that pushes a fifth of the way
/// back, at most kLimitRecovery t. So a step crosses by about 1/kLimitStiffness of what it would
/// have, and a load f presses the joint in by f/(0.2 k). With theta = 1 a stop is inelastic, with
/// theta = 1/2 elastic.
///
/// Effort limits: a joint drive applies P(tau_0 - g v), P the projection on what its limit leaves
/// beside feedforward and gravity compensation, which are clipped first. If a robot has pose
/// drives, all of its drives are scaled to what the joints can give. assemble() decides which
/// drives are at their limit from the expected external forces; limits_hold() says whether the
/// solution agrees, with the external forces that it has.
#pragma once

#include <Eigen/Cholesky>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fem/matrix/block_matrix.hpp"
#include "fem/robot/robot_control.hpp"
#include "fem/robot/robot_description.hpp"
#include "kernels/articulated/inverse_dynamics.hpp"
#include "kernels/articulated/tree.hpp"
#include "kernels/core/time_step.hpp"

namespace nodia {

inline constexpr double kLimitStiffness = 100;  ///< ratio of k t to the diagonal of A [-]
inline constexpr double kLimitRecovery = 0.5;   ///< [rad/s] or [m/s]

/// One independent coordinate. A joint that mimics it adds its damping and narrows its limits.
struct RobotCoordinate {
  std::string joint;      ///< its name, with .x, .rz and so on if the joint has several coordinates
  std::int32_t link = 0;  ///< that hangs on the joint
  bool slides = false;    ///< units are m and N, else rad and N m
  double lower = 0, upper = 0;
  double max_velocity = 0;  ///< reported, not enforced
  double max_effort = 0;
  double damping = 0;
};

/// Not thread-safe: a model has one configuration and one workspace. Copies are independent.
class RobotModel {
 public:
  /// @param base  pose of the root link in the world
  /// @throws InputError for a description that does not validate, or limits that mimics leave empty
  explicit RobotModel(RobotDescription description, const Pose& base = {});

  const RobotDescription& description() const { return description_; }
  int n_link() const { return static_cast<int>(description_.links.size()); }
  int n_dof() const { return static_cast<int>(coordinates_.size()); }
  int n_row() const { return (n_dof() + 2) / 3; }
  const std::vector<RobotCoordinate>& coordinates() const { return coordinates_; }
  /// Index of the coordinate of a joint without mimic, -1 where there is none.
  int find_coordinate(const std::string& joint_name) const;
  double mass() const;         ///< of the links that move [kg]
  bool moves(int link) const;  ///< false for links that no joint moves relative to the base

  /// The rows' undirected couplings, every pair, for BlockPattern::from_couplings.
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings(int first_row) const;
  /// Fixes where assemble() adds.
  /// @throws std::invalid_argument where a block is missing from the pattern
  void bind(const std::shared_ptr<const BlockPattern>& pattern, int first_row);

  // The configuration: everything below it is of the last q given.

  void set_base(const Pose& base) { base_ = base; }
  const Pose& base() const { return base_; }
  /// @param q  n_dof [rad] or [m]
  void update_kinematics(const double* q);
  const std::vector<Pose>& link_poses() const { return link_pose_; }
  /// Velocity of the link's material point that is at `point` in the world now: the sum over rows
  /// of J[r] v_row[r].
  std::vector<Mat3d> point_jacobian(int link, Vec3d point) const;
  /// The same for the link's angular velocity, world axes.
  std::vector<Mat3d> angular_jacobian(int link) const;
  /// M, n_dof x n_dof.
  const Eigen::MatrixXd& mass_matrix() const { return M_; }
  /// h = C(q, qd) qd + G(q).
  /// @param qd  n_dof, or null for G alone
  Eigen::VectorXd bias_force(const double* qd, Vec3d gravity) const;
  /// M qdd + h.
  Eigen::VectorXd inverse_dynamics(const double* qd, const double* qdd, Vec3d gravity) const;
  /// What every link by itself takes of forces to move as qd and qdd say under gravity:
  ///   I a + v x* I v - I g,  world axes, moments about the base's position;
  /// minus its weight for a link at rest, zero for the root and for links without inertia.
  /// @param qd, qdd  n_dof, or null for rest
  /// @param force    out: n_link
  void link_forces(const double* qd, const double* qdd, Vec3d gravity, SpatialForce* force) const;
  /// One scalar a row, m, with diag(m_r I) <= M as matrices, padding included.
  std::vector<double> mass_lower_bound() const;
  double kinetic_energy(const double* qd) const;  ///< [J]
  double potential_energy(Vec3d gravity) const;   ///< of gravity, zero at the world's origin [J]

  struct AssemblyInput {
    const double* q = nullptr;   ///< n_dof
    const double* qd = nullptr;  ///< n_dof
    TimeStep time;
    Vec3d gravity{0, 0, -9.81};  ///< [m/s^2]
    const RobotControl* control = nullptr;
    const double* external_force = nullptr;  ///< n_dof, added to b; may be null [N m] or [N]
    /// n_dof, external force expected in the step (limits_hold()); may be null. It is not added to
    /// b: it decides which drives and joints are at their limits [N m] or [N]
    const double* expected_force = nullptr;
  };
  /// Adds to the bound rows. Throws InputError for a control that does not fit the robot.
  /// @param value  values of A, layout of block_csr.hpp, from the first block of the pattern
  /// @param b      from the first row of the pattern [N m] or [N]
  void assemble(const AssemblyInput& in, double* value, Vec3d* b);

  /// True if assemble() with the external force of this solution as expected_force gives the
  /// actuators the efforts that they have in it.
  /// @param v_hat           n_row, solution of the bound rows
  /// @param external_force  out: n_dof, of everything but the robot's own terms: contacts, mounts,
  ///                        attachments [N m] or [N]
  bool limits_hold(const Vec3d* v_hat, double* external_force);

  /// What the actuators and limits of the last assembled step did.
  struct Report {
    std::vector<double> effort;       ///< of the actuators, n_dof
    std::vector<char> saturated;      ///< at the limit, n_dof
    std::vector<double> limit_force;  ///< of the position limits, n_dof
    double largest_excess = 0;  ///< of |effort| over its limit, as a fraction of the limit [-]
  };
  /// @param v_hat  n_row, solution of the bound rows
  Report report(const Vec3d* v_hat) const;

  /// q_next and v_next after the step, in place.
  /// @param v_hat  n_row
  void advance(const Vec3d* v_hat, TimeStep time, double* q, double* qd) const;

 private:
  TreeView tree() const;
  /// Forces of actuators and position limits as functions of v_hat. Effort of the actuators:
  ///   feed + (pose_force - pose_gain v) + (drive_force - drive_gain v).
  struct Actuation {
    Eigen::MatrixXd pose_gain;
    Eigen::VectorXd feed, pose_force, drive_force, drive_gain, limit_force, limit_gain;
    bool has_pose_drives = false;
    double share = 1;  ///< of all drives of a robot with pose drives that the joints can give
    std::vector<signed char> drive_side;  ///< of the effort limit that the drive reaches
    std::vector<signed char> limit_side;  ///< of the position limit that acts
    std::vector<char> limit_released;

    explicit Actuation(int n_dof);
    Eigen::VectorXd effort(const Eigen::VectorXd& v) const;
    Eigen::VectorXd force() const;  ///< for v = 0
  };

  void set_asked(const AssemblyInput& in);
  void add_pose_drive(const PoseDrive& drive, double theta_t);
  void set_applied(const double* expected_force);
  void predict(const double* expected_force);
  double share_of_drives() const;
  bool scale_drives(const double* expected_force);
  bool limit_drives(const double* expected_force);
  bool set_drive_sides(const Eigen::VectorXd& v);
  double step_to_predicted(const Eigen::VectorXd& v, const double* expected_force) const;
  bool engage_limits();
  void set_sum();
  bool is_at_limit(double effort, int coordinate) const;
  Eigen::VectorXd coordinates_of(const Vec3d* v_hat) const;
  std::vector<Mat3d> columns(const std::vector<Vec3d>& column) const;

  RobotDescription description_;
  Pose base_{};
  std::vector<RobotCoordinate> coordinates_;
  std::vector<JointedBody> bodies_;
  std::vector<int> rotations_;           // first coordinates of ball joints
  std::vector<std::int32_t> link_body_;  // the body a link belongs to, -1: the base
  std::vector<Pose> link_in_body_;
  std::vector<std::int32_t> block_;  // [n_row n_row] of the bound pattern
  int first_row_ = -1;

  // Quantities at the last configuration.
  std::vector<Pose> body_pose_, link_pose_;
  std::vector<SpatialMotion> axis_;
  std::vector<SpatialInertia> inertia_, subtree_;
  Eigen::MatrixXd M_;

  // The last assembly: sum_ v = sum_b_ + external forces.
  Eigen::MatrixXd A_, sum_;  // without and with the terms of applied_
  Eigen::VectorXd b_, sum_b_;
  Eigen::VectorXd q_;  // at the start of the step
  TimeStep time_;
  Actuation asked_, applied_;                          // without and with limits
  Eigen::VectorXd predicted_;                          // v_hat
  std::optional<Eigen::LLT<Eigen::MatrixXd>> factor_;  ///< of sum_

  // Arrays of the kernels.
  mutable std::vector<SpatialMotion> velocity_, acceleration_;
  mutable std::vector<SpatialForce> body_force_;
  mutable std::vector<Vec3d> column_, angular_column_;
};

}  // namespace nodia
