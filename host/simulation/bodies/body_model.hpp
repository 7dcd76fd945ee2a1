/// The bodies of one kind of a scene: their state, their rows and what A and b are made of.
///
/// A model owns consecutive rows of the scene's system, and its part of State. It is made from the
/// scene, in the order of the rows, and adds its bodies to the BodyLayout; then the topology is
/// fixed, then steps run.
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

/// What a step is assembled from.
struct AssemblyInput {
  const State& state;
  const Targets& targets;
  /// Of attachments, per soft node [kg/s], [N].
  const std::vector<double>& soft_diagonal;
  const std::vector<Vec3d>& soft_force;
  int n_thread = 1;
  /// Of pushes, per row [N], generalized of robots; null: none.
  const std::vector<Vec3d>* push = nullptr;
};

class BodyModel {
 public:
  BodyModel() = default;
  BodyModel(const BodyModel&) = delete;
  BodyModel(BodyModel&&) = default;
  BodyModel& operator=(const BodyModel&) = delete;
  BodyModel& operator=(BodyModel&&) = default;
  virtual ~BodyModel() = default;

  // What the topology is made of beside the layout.
  virtual void add_couplings(Couplings* couplings) const = 0;
  virtual void add_rest(std::vector<Vec3d>* rest) const = 0;  ///< Topology::rest of its rows
  /// Fixes where its blocks are. @param pattern  of all rows
  virtual void bind(const std::shared_ptr<const BlockPattern>& pattern) = 0;
  /// Appends ContactProblem::mass of its rows; after bind().
  virtual void add_mass(std::vector<double>* mass) = 0;

  /// Appends to x, frames, q and v.
  virtual void add_initial(State* state) const = 0;
  /// What other calls with this state rely on. @param mass  of all rows, where it is of the state
  virtual void update_kinematics(const State& state, std::vector<double>* mass) = 0;
  /// Adds to its rows of `v` what gravity and constant forces change a velocity by in a step.
  /// @param v  of all rows
  virtual void fall(Vec3d* v) const = 0;
  /// Its rows of A and b, whatever they held.
  /// @param value, b  of all rows; after update_kinematics() of the state
  virtual void assemble(const AssemblyInput& in, double* value, Vec3d* b) = 0;
  /// Its rows of ContactProblem::position.
  virtual void positions(const State& state, Vec3d* position) const = 0;
  /// Its part of the end of the step. @param v_hat  of all rows
  /// @param next  a copy of the state but for soft nodes. @return whether all is finite
  virtual bool advance(const Vec3d* v_hat, const State& state, int n_thread, State* next) const = 0;

  // What touches it. Surfaces lie on nodes or on frames, which a model numbers from 0.
  /// @param first_frame  number of its first frame for the search
  virtual void add_surfaces(std::int32_t first_frame, SurfaceList* surfaces) const = 0;
  virtual std::int32_t n_frame() const { return 0; }
  /// Of all its frames; after update_kinematics().
  virtual void poses(const State&, Pose*) const {}
  /// Their motion with the velocities `v` of all rows. @param pose  of its frames
  virtual void twists(const Pose*, const std::vector<Vec3d>&, FrameTwist*) const {}
  /// Parts of the velocity of a point on a frame: d(point) = sum J v[row], as points.add takes
  /// them.
  virtual void add_point(const State&, std::int32_t, Vec3d, ContactPoints*) const {}

  virtual double kinetic_energy(const State& state, int n_thread) const = 0;  ///< [J]
  /// Elastic and of gravity [J].
  virtual double potential_energy(const State& state, int n_thread) = 0;
};

}  // namespace nodia
