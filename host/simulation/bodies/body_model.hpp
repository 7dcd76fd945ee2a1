/// Interface of the bodies of one kind: their state, their rows, and their terms of A and b.
///
/// A model owns consecutive rows of the scene's system and its range of State. Models are
/// constructed in the order of their rows and add their bodies to the BodyLayout before any step.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "host/problem/contact_points.hpp"
#include "host/problem/topology.hpp"
#include "host/simulation/bodies/surface_list.hpp"
#include "host/simulation/state.hpp"
#include "host/simulation/targets.hpp"

namespace nodia {

/// Pairs of rows that A couples.
using Couplings = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// Input of BodyModel::assemble().
struct AssemblyInput {
  const State& state;
  const Targets& targets;
  /// Terms of the attachments per soft node [kg/s], [N].
  const std::vector<double>& soft_diagonal;
  const std::vector<Vec3d>& soft_force;
  int n_thread = 1;
  /// External forces per row [N], generalized forces for robots; null: none.
  const std::vector<Vec3d>* external_force = nullptr;
  /// Expected external forces on robots (Robots::limits_hold()), as State::q; null or empty: none
  /// [N m] or [N].
  const std::vector<double>* robot_force = nullptr;
};

class BodyModel {
 public:
  BodyModel() = default;
  BodyModel(const BodyModel&) = delete;
  BodyModel(BodyModel&&) = default;
  BodyModel& operator=(const BodyModel&) = delete;
  BodyModel& operator=(BodyModel&&) = default;
  virtual ~BodyModel() = default;

  // Contributions to the topology beside the layout.
  virtual void add_couplings(Couplings* couplings) const = 0;
  virtual void add_rest(std::vector<Vec3d>* rest) const = 0;  ///< Topology::rest of its rows
  /// Fixes the positions of its blocks. @param pattern  pattern of all rows
  virtual void bind(const std::shared_ptr<const BlockPattern>& pattern) = 0;
  /// Appends ContactProblem::mass of its rows; requires bind().
  virtual void add_mass(std::vector<double>* mass) = 0;

  /// Appends its initial values to x, frames, q and v of the state.
  virtual void add_initial(State* state) const = 0;
  /// Prepares other calls with this state. @param mass  of all rows; updated if state-dependent
  virtual void update_kinematics(const State& state, std::vector<double>* mass) = 0;
  /// Adds the velocity change of one step by gravity and constant forces. @param v  of all rows
  virtual void fall(Vec3d* v) const = 0;
  /// Overwrites its rows of A and b; requires update_kinematics() of the state.
  /// @param value, b  blocks of A and right-hand side of all rows
  virtual void assemble(const AssemblyInput& in, double* value, Vec3d* b) = 0;
  /// Writes its rows of ContactProblem::position.
  virtual void positions(const State& state, Vec3d* position) const = 0;
  /// Computes its range of the state at the end of the step. @param v_hat  of all rows
  /// @param next  a copy of the state except for soft nodes. @return true if all is finite
  virtual bool advance(const Vec3d* v_hat, const State& state, int n_thread, State* next) const = 0;

  // Surfaces. They lie on nodes or on frames, which a model numbers from 0.
  /// @param first_frame  number of its first frame in the search
  virtual void add_surfaces(std::int32_t first_frame, SurfaceList* surfaces) const = 0;
  virtual std::int32_t n_frame() const { return 0; }
  /// Writes the poses of all its frames; requires update_kinematics().
  virtual void poses(const State&, Pose*) const {}
  /// Motion of its frames with the velocities `v` of all rows. @param pose  of its frames
  virtual void twists(const Pose*, const std::vector<Vec3d>&, FrameTwist*) const {}
  /// Adds a point on a frame by the Jacobians of its velocity: d(point) = sum J v[row].
  virtual void add_point(const State&, std::int32_t, Vec3d, ContactPoints*) const {}

  virtual double kinetic_energy(const State& state, int n_thread) const = 0;  ///< [J]
  /// Elastic and gravitational energy [J].
  virtual double potential_energy(const State& state, int n_thread) = 0;
};

}  // namespace nodia
