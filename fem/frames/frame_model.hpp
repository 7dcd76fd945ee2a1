/// Rigid bodies and rods of one environment as one system of frames: inertia, joints, and assembly
/// of their rows of A and b.
///
/// Frame f has two block rows: row 2 f is the velocity of the centre of mass [m/s], row 2 f + 1 the
/// angular velocity in world axes [rad/s].
///   A = M/(theta t) + theta t J^T K J + D + E   (Lee et al., (9))
///   b = M/(theta t) v_free + E v - J^T K e + f_ext
/// v_free is v in linear rows. In angular rows it is the mean velocity of the torque-free rotation,
/// which contains the gyroscopic term -C v (kernels/elements/rigid_body.hpp). E is zero unless
/// Step::geometric_stiffness is set.
///
/// J and e depend on the motion in the step. They are taken for velocities v* that are expected,
/// Step::expected: e is (1 - theta) times the strain at the start and theta times the one after the
/// motion t v*, minus theta t J v*, so a solution v* has the exact strains. J is taken after a
/// share of the motion: the middle for theta = 1/2; for theta = 1 the share is the rotation of the
/// arms in the step in radians, 1/2 at most. The caller solves again until the solution is the
/// expected one (is_expected()). E keeps these solves stable; in the last one, only its damping of
/// neighbours acts. With theta = 1/2, joints then conserve energy and momentum up to the
/// differences that is_expected() allows. With theta = 1, joints of bodies have numerical damping,
/// and free chains of bodies lose angular momentum with the third power of the rotation in a step.
///
/// Joints of rods' links with theta = 1, and all joints of the published scheme
/// (JointDirections::start), have J and e of the start of the step: one solve, and without E exact
/// momenta of free chains, but joints of bodies that rotate create energy.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "fem/frames/rod.hpp"
#include "fem/matrix/block_matrix.hpp"
#include "kernels/core/time_step.hpp"
#include "kernels/core/twist.hpp"
#include "kernels/elements/frame_joint.hpp"

namespace nodia {

/// Viscous drag on a frame.
struct FrameDrag {
  double translation_N_s_m = 0;  ///< >= 0
  double rotation_Nms_rad = 0;   ///< >= 0
};

/// A frame without unknowns: a fixed world frame, or a frame that the caller moves.
struct PrescribedFrame {
  FramePose pose;            ///< at the start of the step
  Vec3d velocity{};          ///< mean over the step [m/s]
  Vec3d angular_velocity{};  ///< mean over the step, world axes [rad/s]
};

/// One side of a joint.
struct FrameRef {
  std::int32_t index = 0;
  bool prescribed = false;

  static FrameRef dynamic_frame(int i) { return {i, false}; }
  static FrameRef prescribed_frame(int i) { return {i, true}; }
};

/// Load of a joint on its frame j, about the point of the joint on j, world axes. Frame i gets the
/// opposite load at the same point.
struct JointLoad {
  Vec3d point{};   ///< [m]
  Vec3d force{};   ///< [N]
  Vec3d torque{};  ///< [N m]
};

class FrameModel {
 public:
  /// @param inertia_body  about the centre of mass, body axes, symmetric positive definite [kg m^2]
  /// @return index of the frame
  int add_rigid_body(double mass_kg, const Mat3d& inertia_body, const FrameDrag& drag = {});
  /// Adds links as consecutive frames that are joined end to end. Both ends of the rod are free.
  /// @return index of the first link's frame
  int add_rod(const std::vector<RodLink>& links, const RodSection& section,
              const RodMaterial& material);
  /// @return index for FrameRef::prescribed_frame
  int add_prescribed(const PrescribedFrame& frame);
  void set_prescribed(int index, const PrescribedFrame& frame) { prescribed_[index] = frame; }
  /// Adds a joint. At least one side must be dynamic, and the sides must differ.
  /// @return index of the joint
  int add_joint(FrameRef i, FrameRef j, const FrameJoint& joint);

  /// An inactive joint exerts no load.
  void set_joint_active(int k, bool active) { joints_[k].active = active; }

  int n_frame() const { return static_cast<int>(bodies_.size()); }
  int n_row() const { return 2 * n_frame(); }
  int n_joint() const { return static_cast<int>(joints_.size()); }
  double mass_kg(int frame) const { return bodies_[frame].mass; }
  const Mat3d& inertia_body(int frame) const { return bodies_[frame].inertia; }
  const FrameDrag& drag(int frame) const { return bodies_[frame].drag; }
  const FrameJoint& joint(int k) const { return joints_[k].joint; }
  FrameRef side_i(int k) const { return joints_[k].i; }
  FrameRef side_j(int k) const { return joints_[k].j; }
  bool joint_active(int k) const { return joints_[k].active; }
  int n_prescribed() const { return static_cast<int>(prescribed_.size()); }
  const PrescribedFrame& prescribed(int index) const { return prescribed_[index]; }

  /// Lower bound of M by row: mass [kg], smallest principal moment of inertia [kg m^2].
  std::vector<double> mass_bound() const;

  /// Pairs of coupled rows for BlockPattern::from_couplings(). The rows of the frames start at
  /// first_row.
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings(int first_row) const;
  /// Finds the blocks in `pattern`. No frame or joint may be added afterwards.
  void bind(const BlockPattern& pattern, int first_row);

  /// State at the start of a step, and properties of the step. Arrays over frames or over their
  /// rows.
  struct Step {
    const Vec3d* position = nullptr;          ///< [n_frame] [m]
    const Quaternion* orientation = nullptr;  ///< [n_frame], unit length
    const Vec3d* velocity = nullptr;          ///< [n_row] [m/s, rad/s]
    TimeStep time;
    JointDirections joint_directions = JointDirections::middle;  ///< poses of J
    Vec3d gravity{};                                             ///< [m/s^2]
    const Vec3d* external = nullptr;  ///< [n_row] force, torque [N, N m]; may be null
    const Vec3d* expected = nullptr;  ///< [n_row] v*, a solution; null: the velocities of the start
    /// Adds E >= 0 to the angular rows: theta t times the pull of the joints times its arm, the
    /// largest geometric stiffness of a frame. E acts on the difference of the angular velocity
    /// from the expected one, as a moment of inertia of theta^2 t^2 times that stiffness would. It
    /// changes no equilibrium, and neither brakes a cord that slides round a bar nor a chain that
    /// turns as a whole. It acts about all axes: without the axis of the cable, the twist of a
    /// bent, taut cable grows. 1/50 of E also damps the rotation of a link of a rod relative to its
    /// neighbours. Without E, a taut chain is stable only for steps below 1/pi of the shortest
    /// period of its transverse vibration (theta = 1).
    bool geometric_stiffness = false;
  };
  /// Adds the rows of the frames to A and b, in a fixed order, without allocating memory.
  /// @param value  values of the whole matrix of bind(), layout of block_csr.hpp
  /// @param b      rows of the frames [N, N m]
  void assemble(const Step& step, double* value, Vec3d* b) const;

  /// True if no frame with an active joint rotates otherwise in the solution than Step::expected
  /// says, by more than 1e-3 rad in the step, 1e-2 rad with theta = 1.
  /// @param v_hat  rows of the frames [m/s, rad/s]
  bool is_expected(const Step& step, const Vec3d* v_hat) const;

  /// Advances the state that was assembled by the step.
  /// @param v_hat                            rows of the frames in the solution of A v_hat = b +
  /// ...
  ///                                         [m/s, rad/s]
  /// @param position, orientation, velocity  out; may be the arrays of `step`
  void advance(const Step& step, const Vec3d* v_hat, Vec3d* position, Quaternion* orientation,
               Vec3d* velocity) const;

  double kinetic_energy(const Quaternion* orientation, const Vec3d* velocity) const;  ///< [J]
  double elastic_energy(const Vec3d* position, const Quaternion* orientation) const;  ///< [J]

  /// Mean load of a joint over the step, from -K (e + (theta t + beta) J v_hat).
  /// @param v_hat  rows of the frames; null: elastic load at the start of the step
  JointLoad joint_load(int k, const Step& step, const Vec3d* v_hat) const;

 private:
  struct Body {
    double mass;
    Mat3d inertia;
    FrameDrag drag;
    bool is_link;  ///< of a rod
  };
  struct Joint {
    FrameJoint joint;
    FrameRef i, j;
    bool active = true;
  };
  // Blocks of a joint over (v_i, w_i, v_j, w_j); -1 for a prescribed side.
  struct JointBlocks {
    std::int32_t block[4][4];
  };
  struct FrameBlocks {
    std::int32_t block[2][2];
  };

  FramePose pose(FrameRef ref, const Vec3d* position, const Quaternion* orientation) const {
    return ref.prescribed ? prescribed_[ref.index].pose
                          : FramePose{position[ref.index], orientation[ref.index]};
  }

  bool is_link(FrameRef side) const;
  void add_geometric_stiffness(std::size_t k, const JointRows& rows, const Step& step,
                               double* value, Vec3d* b) const;
  /// Expected velocities in the step.
  FrameTwist twist(FrameRef ref, const Step& step) const;
  /// Pose after the expected motion.
  FramePose end_pose(FrameRef ref, const Step& step) const;
  /// True if J and e of a joint depend on the expected motion. With theta = 1, two kinds of joints
  /// do not: those of links of rods, where a later J brakes a cord that slides round a bar, and
  /// those of bodies that rotate by more than 0.5 rad in the step, such as a fast top.
  bool follows(const Joint& joint, const Step& step) const;
  /// Angular velocity at which the arm of a joint turns; the spin about the arm does not count.
  double rate_of_arm(FrameRef side, Vec3d point, const Step& step) const;
  /// Share of the expected motion after which J of a joint is taken.
  double share_of_directions(const Joint& joint, const Step& step) const;
  /// J of a joint, and the strain e to which the solution adds theta t J v_hat.
  JointRows rows(const Joint& joint, const Step& step) const;

  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<PrescribedFrame> prescribed_;
  std::vector<FrameBlocks> frame_blocks_;
  std::vector<JointBlocks> joint_blocks_;
};

}  // namespace nodia
