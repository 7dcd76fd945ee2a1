/// The soft bodies of a scene, one row per node.
#pragma once

#include "fem/soft/tet_model.hpp"
#include "host/simulation/bodies/body_model.hpp"

namespace nodia {

class SoftBodies final : public BodyModel {
 public:
  /// @param scene   kept by reference
  /// @param layout  the nodes are appended
  SoftBodies(const Scene& scene, BodyLayout* layout);

  const TetModel& model() const { return model_; }

  void add_couplings(Couplings* couplings) const override;
  void add_rest(std::vector<Vec3d>* rest) const override;
  void bind(const std::shared_ptr<const BlockPattern>& pattern) override { model_.finish(pattern); }
  void add_mass(std::vector<double>* mass) override;
  void add_initial(State* state) const override;
  void update_kinematics(const State&, std::vector<double>*) override {}
  void fall(Vec3d* v) const override;
  void assemble(const AssemblyInput& in, double* value, Vec3d* b) override;
  void positions(const State& state, Vec3d* position) const override;
  bool advance(const Vec3d* v_hat, const State& state, int n_thread, State* next) const override;
  void add_surfaces(std::int32_t first_frame, SurfaceList* surfaces) const override;
  double kinetic_energy(const State& state, int n_thread) const override;
  double potential_energy(const State& state, int n_thread) override;

 private:
  const Scene& scene_;
  TetModel model_;
};

}  // namespace nodia
