/// Bodies whose rows belong to the frames of one FrameModel, two rows per frame.
#pragma once

#include "fem/frames/frame_model.hpp"
#include "host/simulation/bodies/body_model.hpp"

namespace nodia {

/// Implements BodyModel except for the construction of frames and their surfaces.
class FrameBodies : public BodyModel {
 public:
  /// Joints and prescribed frames can be added before bind().
  FrameModel& model() { return model_; }
  const FrameModel& model() const { return model_; }
  std::int32_t first_frame() const { return first_frame_; }  ///< index in State::frames
  std::int32_t first_row() const { return first_row_; }

  void add_couplings(Couplings* couplings) const override;
  void add_rest(std::vector<Vec3d>* rest) const override;
  void bind(const std::shared_ptr<const BlockPattern>& pattern) override;
  void add_mass(std::vector<double>* mass) override;
  void add_initial(State* state) const override;
  void update_kinematics(const State&, std::vector<double>*) override {}
  void fall(Vec3d* v) const override;
  void assemble(const AssemblyInput& in, double* value, Vec3d* b) override;
  void positions(const State& state, Vec3d* position) const override;
  bool advance(const Vec3d* v_hat, const State& state, int, State* next) const override;
  std::int32_t n_frame() const override { return model_.n_frame(); }
  void poses(const State& state, Pose* pose) const override;
  void twists(const Pose* pose, const std::vector<Vec3d>& v, FrameTwist* twist) const override;
  void add_point(const State& state, std::int32_t frame, Vec3d point,
                 ContactPoints* points) const override;
  double kinetic_energy(const State& state, int) const override;
  double potential_energy(const State& state, int) override;

 protected:
  /// @param scene   kept by reference
  /// @param layout  contains all earlier bodies
  FrameBodies(const Scene& scene, const BodyLayout& layout);

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

  const Scene& scene_;

 private:
  FrameModel::Step step(const State& state) const;
  const FramePose* frames_of(const State& state) const {
    return state.frames.data() + first_frame_;
  }
  std::int32_t end_row() const { return first_row_ + kLinkRows * model_.n_frame(); }

  FrameModel model_;
  std::int32_t first_frame_, first_row_;
  std::vector<Start> start_;
  std::shared_ptr<const BlockPattern> pattern_;
  // Workspace: arrays over frames, as FrameModel reads them.
  mutable std::vector<Vec3d> position_, external_;
  mutable std::vector<Quaternion> orientation_;
};

}  // namespace nodia
