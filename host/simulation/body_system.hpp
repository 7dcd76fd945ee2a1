/// The bodies of one scene as one system of rows: nodes, frames, robot coordinates.
#pragma once

#include <memory>
#include <vector>

#include "host/problem/topology_pool.hpp"
#include "host/scene/objects.hpp"
#include "host/simulation/bodies/frames.hpp"
#include "host/simulation/bodies/robots.hpp"
#include "host/simulation/bodies/soft_bodies.hpp"

namespace nodia {

struct BodyEnergies {
  double kinetic_J = 0;
  double potential_J = 0;  ///< elastic energy, including joints of frames, and energy of gravity
  double robots_kinetic_J = 0, robots_potential_J = 0;  ///< shares of the robots in these
};

class BodySystem {
 public:
  /// Joints can be added to frames(), and couplings as `extra`, before fix_topology().
  /// @param scene  kept by reference
  explicit BodySystem(const Scene& scene);
  /// @param extra  pairs of rows that other constraints couple
  /// @param pool   shares topologies between equal scenes
  void fix_topology(const Couplings& extra, TopologyPool* pool);

  const Objects& objects() const { return objects_; }
  const BodyLayout& layout() const { return *layout_; }
  SoftBodies& soft_bodies() const { return *soft_; }
  /// Rigid bodies, cables and compounds.
  Frames& frames() const { return *frames_; }
  Robots& robots() const { return *robots_; }
  const std::shared_ptr<const Topology>& topology() const { return topology_; }
  /// Block pattern of A in the topology.
  const std::shared_ptr<const BlockPattern>& pattern() const { return pattern_; }
  /// Mass per row, see ContactProblem::mass; for robots after the last update_kinematics().
  const std::vector<double>& mass() const { return mass_; }
  State initial_state() const;
  /// Adds the velocity change of one step by gravity and constant forces. @param v  of all rows
  void fall(Vec3d* v) const;

  /// Computes link poses and Jacobians of robots for the functions below.
  void update_kinematics(const State& state);
  /// Writes A and b of all rows without contacts and robot mounts; after update_kinematics().
  void assemble(const AssemblyInput& in, double* value, Vec3d* b);
  /// Writes the positions of all rows, see ContactProblem::position.
  void positions(const State& state, Vec3d* position) const;
  /// Advances to the end of the step. @return true if it is finite; else the state is unchanged
  bool advance(const Vec3d* v_hat, int n_thread, State* state);

  BodyEnergies energies(const State& state, int n_thread);

  // Surfaces of the bodies, see BodyModel: frames of all models, one after another.
  void add_surfaces(SurfaceList* surfaces) const;
  std::int32_t n_frame() const;
  void poses(const State& state, Pose* pose) const;
  void twists(const Pose* pose, const std::vector<Vec3d>& v, FrameTwist* twist) const;
  void add_point(const State& state, std::int32_t frame, Vec3d point, ContactPoints* points) const;

 private:
  /// Constructs the next of models_.
  template <class Model>
  Model* add(const Scene& scene);

  Objects objects_;
  std::unique_ptr<BodyLayout> layout_;  ///< on the heap, because models keep references to it
  std::vector<std::unique_ptr<BodyModel>> models_;  ///< in the order of their rows
  // Typed pointers into models_.
  SoftBodies* soft_ = nullptr;
  Frames* frames_ = nullptr;
  Robots* robots_ = nullptr;
  std::shared_ptr<const Topology> topology_;
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<double> mass_;
  State next_;  ///< next state of a step until it is known to be finite
};

}  // namespace nodia
