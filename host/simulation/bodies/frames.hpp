/// The rigid bodies, cable links and compounds of a scene: frames of one FrameModel, two rows each.
#pragma once

#include <vector>

#include "fem/frames/frame_model.hpp"
#include "fem/frames/rod.hpp"
#include "host/simulation/bodies/body_model.hpp"

namespace nodia {

/// Rest lengths and poses of a cable's links at t = 0.
std::vector<RodLink> links_of(const CableDescription& cable);

class Frames final : public BodyModel {
 public:
  /// @param scene   kept by reference
  /// @param layout  contains the soft bodies; the frames are appended; kept by reference
  Frames(const Scene& scene, BodyLayout* layout);

  /// Expects in J of joints that the velocities of the start persist.
  void begin_step() { expected_.clear(); }
  /// Expects the motion of this solution if frames with joints rotate otherwise than expected.
  /// @param v_hat  [n_row] [m/s, rad/s]
  /// @param share  of the change from the motion expected before, in (0, 1]
  /// @return true if the step has to be assembled and solved again
  bool expect(const State& start, const Vec3d* v_hat, double share);
  /// True if J of the joints fits this solution: FrameModel::is_expected().
  bool is_expected(const State& start, const Vec3d* v_hat) const;
  /// Mean loads of joints over the step. @param v_hat  [n_row] [m/s, rad/s]
  std::vector<JointLoad> joint_loads(const std::vector<int>& joints, const State& start,
                                     const Vec3d* v_hat) const;

  /// Joints and prescribed frames can be added before bind().
  FrameModel& model() { return model_; }
  const FrameModel& model() const { return model_; }
  /// Pose of a frame in the state of the last update_kinematics().
  const Pose& pose(std::int32_t frame) const { return pose_[static_cast<std::size_t>(frame)]; }

  void add_couplings(Couplings* couplings) const override;
  void add_rest(std::vector<Vec3d>* rest) const override;
  void bind(const std::shared_ptr<const BlockPattern>& pattern) override;
  void add_mass(std::vector<double>* mass) override;
  void add_initial(State* state) const override;
  void update_kinematics(const State& state, std::vector<double>* mass) override;
  void fall(Vec3d* v) const override;
  void assemble(const AssemblyInput& in, double* value, Vec3d* b) override;
  void positions(const State& state, Vec3d* position) const override;
  bool advance(const Vec3d* v_hat, const State& state, int, State* next) const override;
  void add_surfaces(std::int32_t first_frame, SurfaceList* surfaces) const override;
  std::int32_t n_frame() const override { return model_.n_frame(); }
  void poses(const State& state, Pose* pose) const override;
  void twists(const Pose* pose, const std::vector<Vec3d>& v, FrameTwist* twist) const override;
  void add_point(const State& state, std::int32_t frame, Vec3d point,
                 ContactPoints* points) const override;
  double kinetic_energy(const State& state, int) const override;
  double potential_energy(const State& state, int) override;

 private:
  /// Initial values of the next frame of model().
  struct Start {
    FramePose pose;
    Vec3d velocity{}, angular_velocity{};
    Vec3d force{};  ///< constant force on the frame [N]
    Vec3d rest{};   ///< Topology::rest
  };
  void add_start(const Start& start);
  /// Adds a rigid body as one frame.
  void add_rigid(const RigidDescription& body, BodyLayout* layout);
  /// Adds the shapes of a body on a frame. @param frame  its number in the search
  template <RigidKind Body>
  static void add_shapes(const Body& body, ObjectId id, std::int32_t frame, SurfaceList* surfaces) {
    for (const PlacedShape& placed : shapes_of(body)) {
      ShapeSurface shape;
      shape.shape = placed.shape;
      shape.frame = frame;
      shape.in_frame = placed.pose;
      set_mesh_trees(placed.grid, &shape);
      surfaces->add_shape({id, surface_material(body)}, shape);
    }
  }

  FrameModel::Step step(const State& state) const;
  std::int32_t end_row() const { return first_row_ + kLinkRows * model_.n_frame(); }

  const Scene& scene_;
  FrameModel model_;
  std::int32_t first_row_;
  std::vector<Start> start_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<Pose> pose_;
  std::vector<Vec3d> expected_;  ///< FrameModel::Step::expected; empty: the velocities of the start
  // Workspace: arrays over frames, as FrameModel reads them.
  mutable std::vector<Vec3d> position_, external_;
  mutable std::vector<Quaternion> orientation_;
};

}  // namespace nodia
