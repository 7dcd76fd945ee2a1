/// Contacts of one environment in a step: detection, and every near pair as a contact between nodes
/// or points of bodies, with frame, phi and friction.
#pragma once

#include <cstdint>
#include <vector>

#include "host/collision/detection.hpp"
#include "host/collision/proximity.hpp"
#include "host/problem/contact_problem.hpp"
#include "host/simulation/body_system.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia {

/// The contacts of a step. A side k < n_row is row k; n_row + k is points[k].
struct StepContacts {
  std::vector<Contact<double>> contacts;
  ContactPoints points;
  std::vector<ContactSides> sides;
  std::vector<double> gap_m;            ///< at the start of the step
  std::vector<Vec3d> surface_velocity;  ///< of obstacles, mean over the step; zero elsewhere [m/s]

  void clear();
};

class ContactFinder {
 public:
  ContactFinder(const Scene& scene, const BodySystem& system);

  /// @param state  at the start of the step; system.update_kinematics(state)
  void find(const State& state, const BodySystem& system, int n_thread, StepContacts* out);
  /// Deepest penetration of soft nodes into obstacles at the end of a step [m], 0 where there is
  /// none.
  double node_penetration(const State& end) const;

 private:
  struct Surface {
    SurfaceId id;
    SurfaceMaterial material;
    std::int32_t first_frame = 0;  ///< of the search
    bool nodal = false;            ///< contacts act on the frame's own row
  };
  /// A side of a pair as the problem takes it.
  struct Side {
    std::int32_t side = kWorld;
    Vec3d velocity{};  ///< now [m/s]; of an obstacle the mean over the step
  };

  void add_surfaces(const Scene& scene, const BodySystem& system);
  void find_nodes_at_obstacles(const State& state, int n_thread, StepContacts* out);
  void find_bodies(const State& state, const BodySystem& system, int n_thread, StepContacts* out);
  void set_frames(const State& state, const BodySystem& system);
  Side side_of(const BodyPoint& point, const Surface& surface, const State& state,
               const BodySystem& system, ContactPoints* points) const;
  const PairFriction& friction(std::size_t a, std::size_t b) const {
    return friction_[a * surfaces_.size() + b];
  }

  const Scene& scene_;
  std::vector<Shape> obstacle_shapes_;
  std::vector<std::int32_t> soft_of_node_;
  std::vector<Surface> surfaces_;  ///< as the search numbers them; obstacles last
  std::size_t first_obstacle_surface_ = 0;
  std::vector<PairFriction> friction_;  ///< [surface a * n_surface + surface b]
  bool searches_ = false;               ///< something other than soft nodes may touch something
  ProximitySearch search_;
  std::int32_t first_link_frame_ = 0, first_obstacle_frame_ = 0;
  std::vector<Pose> pose_;
  std::vector<FrameTwist> twist_;
  std::vector<std::pair<std::int32_t, std::int32_t>> link_of_frame_;  ///< robot, link

  std::vector<ProximityPair> node_pairs_;
  std::vector<SurfacePair> body_pairs_;
};

}  // namespace nodia
