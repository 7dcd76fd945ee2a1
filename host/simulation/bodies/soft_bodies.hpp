/// The soft bodies of a scene, one row per node.
#pragma once

#include "fem/soft/tet_model.hpp"
#include "host/simulation/bodies/body_model.hpp"
#include "host/simulation/bodies/soft_rotation.hpp"

namespace nodia {

/// The start of a step.
struct SoftStep {
  const State& state;
  /// Per body, 1: it follows its rotation (SoftRotation). Empty: the published scheme, x + t v_hat.
  const std::vector<char>& turns;
  const std::vector<Vec3d>& v_hat;  ///< of the last step [m/s]
  int n_thread = 1;
};

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
  /// Begins a step, before assemble().
  void begin_step(const SoftStep& step);
  /// Rotation of a body in the step, by the velocities at its start [rad].
  double turn_rad(std::size_t body) const { return bodies_[body].rotation.turn_rad(); }
  /// Displacement of a node by the rotation of its body in the step, beside t v_hat [m].
  Vec3d shift(Shift of, std::int32_t node) const;
  /// Sets the displacements of a solution of the step. @param end  of advance()
  void set_solved(const State& start, const Vec3d* v_hat, const State& end, int n_thread);

 private:
  /// The nodes of one body, and its rotation in a step.
  struct TurningBody {
    std::int32_t first = 0, n = 0;
    SoftRotation rotation{};
  };

  BodyNodes nodes_of(const TurningBody& body, const State& state, int n_thread) const;
  void set_turned(const SoftStep& step);
  void add_rotation(TurningBody* body, const AssemblyInput& in, const double* value,
                    Vec3d* b) const;

  const Scene& scene_;
  TetModel model_;
  std::vector<TurningBody> bodies_;
  std::vector<Vec3d> turned_;  ///< TetModel::AssemblyInput::turned; empty: the nodes
};

}  // namespace nodia
