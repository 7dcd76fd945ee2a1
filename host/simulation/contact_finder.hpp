/// Contacts of one environment in a step: detection, and every near pair as a contact between nodes
/// or points of bodies, with frame, phi and friction.
#pragma once

#include <cstdint>
#include <vector>

#include "host/collision/detection.hpp"
#include "host/collision/proximity.hpp"
#include "host/problem/contact_problem.hpp"
#include "host/scene/friction_table.hpp"
#include "host/simulation/body_system.hpp"
#include "host/simulation/overlap_watch.hpp"
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

  /// @param state   at the start of the step; system.update_kinematics(state)
  /// @param v_free  of the rows, at the end of a step without contact (FreeMotion)
  void find(const State& state, const BodySystem& system, const std::vector<Vec3d>& v_free,
            int n_thread, StepContacts* out);
  /// Overlaps of a state, as deep as they may be; system.update_kinematics(state).
  void find_overlaps(const State& state, const BodySystem& system, std::vector<ObjectOverlap>* out);
  /// What the step whose contacts find() found came to.
  struct EndOfStep {
    std::vector<ObjectOverlap> overlaps;  ///< measured, of nodes in obstacles and shapes in shapes
    std::vector<ObjectOverlap> missed;    ///< i came through j without being in a contact with it
  };
  /// @param end  system.update_kinematics(end)
  void judge(const State& end, const BodySystem& system, EndOfStep* out);
  /// An overlap by its depth. @param a, b  as of ContactSides
  ObjectOverlap overlap(const ObjectId& a, const ObjectId& b, double depth_m) const;

 private:
  /// A side of a pair as the problem takes it.
  struct Side {
    std::int32_t side = kWorld;
    Vec3d velocity{};  ///< now [m/s]; of an obstacle the mean over the step
  };

  void add_surfaces(const Scene& scene, const BodySystem& system);
  void exclude_pairs(const Scene& scene);
  void find_nodes_at_obstacles(const State& state, const std::vector<Vec3d>& v_free, int n_thread,
                               StepContacts* out);
  void find_bodies(const State& state, const BodySystem& system, const std::vector<Vec3d>& v_free,
                   int n_thread, StepContacts* out);
  void set_poses(const State& state, const BodySystem& system);
  void set_twists(const State& state, const BodySystem& system, const std::vector<Vec3d>& v_free);
  ProximityState at_rest(const State& state) const;
  ObjectOverlap overlap(std::int32_t surface_a, std::int32_t surface_b, double depth_m) const;
  void add_node_overlaps(const State& state, std::vector<ObjectOverlap>* out) const;
  void add_node_passages(const State& end, std::vector<ObjectOverlap>* out) const;
  Side side_of(const BodyPoint& point, const SceneSurface& surface, const State& state,
               const BodySystem& system, ContactPoints* points) const;
  /// Of two surfaces.
  ContactFriction friction(std::size_t a, std::size_t b) const {
    return friction_.of(object_[a], object_[b]);
  }

  const Scene& scene_;
  std::vector<Shape> obstacle_shapes_;
  std::vector<std::int32_t> soft_node_{0};  ///< first of each soft body, and the end
  std::vector<std::int32_t> soft_of_node_;
  SurfaceList surfaces_;              ///< obstacles last
  std::vector<double> extent_;        ///< per surface ProximitySearch::smallest_extent [m]
  std::vector<std::int32_t> object_;  ///< per surface its number (Objects)
  std::size_t first_obstacle_surface_ = 0;
  FrictionTable friction_;
  std::int32_t first_obstacle_frame_ = 0;
  std::vector<Pose> pose_;
  std::vector<FrameTwist> twist_, twist_free_;

  NodeDetection nodes_at_obstacles_;
  std::vector<SurfacePair> body_pairs_;
  std::vector<Vec3d> x_;                ///< of nodes, and
  std::vector<ObstaclePose> obstacle_;  ///< of obstacles in the last find()
  std::vector<SurfaceOverlap> surface_overlaps_;
  std::vector<MissedPassage> passages_;
};

}  // namespace nodia
