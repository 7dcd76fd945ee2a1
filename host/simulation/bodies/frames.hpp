/// The rigid bodies and the links of the cables of a scene: two rows a frame.
#pragma once

#include "fem/frame_model.hpp"
#include "fem/rod.hpp"
#include "host/simulation/bodies/body_model.hpp"

namespace nodia {

class Frames final : public BodyModel {
 public:
  /// Joints and prescribed frames may be added to model() before bind().
  /// @param scene   kept by reference
  /// @param layout  has the soft bodies, gets the frames; kept by reference
  Frames(const Scene& scene, BodyLayout* layout);

  FrameModel& model() { return model_; }
  const FrameModel& model() const { return model_; }
  /// Rest lengths and poses of a cable's links at t = 0.
  const std::vector<RodLink>& links(int cable) const {
    return links_[static_cast<std::size_t>(cable)];
  }
  void add_couplings(Couplings* couplings) const override;
  void add_bodies(std::vector<Body>* bodies) const override;
  void add_rest(std::vector<Vec3d>* rest) const override;
  void bind(const std::shared_ptr<const BlockPattern>& pattern) override;
  void add_mass(std::vector<double>* mass) override;
  void add_initial(State* state) const override;
  void update_kinematics(const State&, std::vector<double>*) override {}
  void assemble(const AssemblyInput& in, double* value, Vec3d* b) override;
  void positions(const State& state, Vec3d* position) const override;
  bool advance(const Vec3d* v_hat, const State& state, State* next) const override;
  void add_surfaces(std::int32_t first_frame, SurfaceList* surfaces) const override;
  std::int32_t n_frame() const override { return model_.n_frame(); }
  void poses(const State& state, Pose* pose) const override;
  void twists(const Pose* pose, const std::vector<Vec3d>& v, FrameTwist* twist) const override;
  void add_point(const State& state, std::int32_t frame, Vec3d point,
                 ContactPoints* points) const override;
  double kinetic_energy(const State& state) const override;
  double potential_energy(const State& state) override;

 private:
  FrameModel::Step step(const State& state) const;

  const Scene& scene_;
  const BodyLayout& layout_;
  FrameModel model_;
  std::vector<std::vector<RodLink>> links_;
  std::shared_ptr<const BlockPattern> pattern_;
  // Arrays over frames as FrameModel takes them.
  mutable std::vector<Vec3d> position_, external_;
  mutable std::vector<Quaternion> orientation_;
};

}  // namespace nodia
