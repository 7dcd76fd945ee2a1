/// Contacts of one environment in a step: every near pair of the search as a contact between nodes
/// or points of bodies, with frame, phi and friction.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "host/collision/proximity.hpp"
#include "host/problem/contact_problem.hpp"
#include "host/problem/obstacle_contacts.hpp"
#include "host/scene/friction_table.hpp"
#include "host/simulation/body_system.hpp"
#include "host/simulation/overlap_watch.hpp"
#include "host/simulation/simulation.hpp"
#include "kernels/step/soft_depths.hpp"

namespace nodia {

/// The contacts of a step. A side k < n_row is row k; n_row + k is points[k].
struct StepContacts {
  std::vector<Contact<double>> contacts;
  ContactPoints points;
  std::vector<ContactSides> sides;
  std::vector<SurfacePair> pairs;  ///< that they were made from

  void clear();
};

class ContactFinder {
 public:
  /// @param scene, obstacles  kept by reference, obstacles being their poses over time
  ContactFinder(const Scene& scene, const std::vector<Path>& obstacles, const BodySystem& system);

  /// Finds the contacts of a step: the three stages below, one after another.
  void find(const State& state, const BodySystem& system, const std::vector<Vec3d>& v_free,
            int n_thread, StepContacts* out);
  /// Begins the search for candidate pairs. The arguments must not change before finish_search().
  /// @param state   start of the step; requires system.update_kinematics(state)
  /// @param v_free  [n_row] velocities at the end of the step without contacts (FreeMotion) [m/s]
  void begin_search(const State& state, const BodySystem& system, const std::vector<Vec3d>& v_free);
  ProximitySearch& search() { return surfaces_.search(); }
  /// Completes the search. @param hits  see ProximitySearch::finish(), @param out  gets the pairs
  void finish_search(int n_thread, const std::vector<VertexHit>* hits, StepContacts* out);
  /// Makes the contacts of the pairs, and drops the pairs of bodies that no force moves.
  void make_contacts(const State& state, const BodySystem& system, StepContacts* out) const;
  /// What contacts of soft nodes with obstacles, and of soft surfaces with each other, are made of;
  /// null where there can be other contacts.
  std::shared_ptr<const ObstacleContacts> obstacle_contacts(const BodySystem& system);
  /// Poses of the obstacles in the step from `state` on, as obstacle_contacts() has them.
  void obstacle_motions(const State& state, const BodySystem& system,
                        std::vector<ObstacleMotion>* out);
  /// The same in the step from a time on, of which alone they depend; nothing of here changes.
  void obstacle_motions_at(double time_s, std::vector<ObstacleMotion>* out);
  /// Forces by the key of their contacts, ascending, as forces by place, ascending.
  /// @param contacts  obstacle_contacts()
  void by_place(const ObstacleContacts& contacts,
                const std::vector<std::pair<std::uint64_t, Vec3d>>& by_key,
                std::vector<std::pair<std::int32_t, Vec3d>>* out) const;
  /// The keys of contacts at places of obstacle_contacts(), and of pairs.
  void keys_of(std::span<const NodeAtObstacle> place, std::span<const SoftPair> pairs,
               const ObstacleContacts& contacts, std::vector<std::uint64_t>* out) const;
  /// As find(), where a solver has made the contacts: of nodes at obstacle_contacts(), and of soft
  /// surfaces; obstacle_motions() was the last that was asked for of any state.
  void take(const State& state, const BodySystem& system, std::span<const NodeAtObstacle> near,
            std::span<const SoftPair> pairs, int n_thread, StepContacts* out);
  /// Overlaps of a state, as deep as they may be; system.update_kinematics(state).
  void find_overlaps(const State& state, const BodySystem& system, std::vector<ObjectOverlap>* out);
  /// What the step whose contacts find() found came to.
  struct EndOfStep {
    /// Of nodes in obstacles, and of shapes and cables in each other, as they lie; of all contacts
    /// but those of nodes in obstacles by their gap at the end of the step.
    std::vector<ObjectOverlap> overlaps;
    std::vector<ObjectOverlap> missed;  ///< i came through j without being in a contact with it
  };
  /// Obstacles are where find() took them to be at the end.
  /// @param end    system.update_kinematics(end)
  /// @param found  its sides have the gaps at the end of the step
  void judge(const State& end, const BodySystem& system, const StepContacts& found, EndOfStep* out);
  /// The same of a step whose contacts and positions a solver has, which has measured them.
  /// @param contacts    obstacle_contacts()
  /// @param depth       SoftContacts::depth
  /// @param pair_depth  per search of contacts.soft_searches PairBatch::depth
  void judge_from(const ObstacleContacts& contacts, std::span<const SoftDepth> depth,
                  std::span<const double> pair_depth, EndOfStep* out) const;

 private:
  /// A side of a pair as the problem takes it.
  struct Side {
    std::int32_t side = kWorld;
    Vec3d velocity{};  ///< now, of the world zero [m/s]
  };

  void add_surfaces(const Scene& scene, const BodySystem& system);
  void exclude_pairs(const Scene& scene);
  bool make_contact(const SurfacePair& pair, const State& state, const BodySystem& system,
                    StepContacts* out) const;
  void set_poses(const State& state, const BodySystem& system);
  void set_twists(const State& state, const BodySystem& system, const std::vector<Vec3d>& v_free);
  ProximityState in_step(const State& state, const std::vector<Vec3d>& v_free) const;
  ProximityState at_rest(const State& state) const;
  ObjectOverlap overlap(std::int32_t surface_a, std::int32_t surface_b, double depth_m) const;
  void add_overlaps(const State& state, OverlapScope scope, std::vector<ObjectOverlap>* out);
  Side side_of(const BodyPoint& point, const SceneSurface& surface, const State& state,
               const BodySystem& system, ContactPoints* points) const;
  ContactRule rule_of(std::size_t a, std::size_t b) const;
  double smaller_extent(std::size_t a, std::size_t b) const;

  const Scene& scene_;
  const std::vector<Path>& obstacles_;
  SurfaceList surfaces_;  ///< obstacles last
  /// Per surface ProximitySearch::smallest_extent, of a compound's part that of the compound [m].
  std::vector<double> extent_;
  std::vector<std::int32_t> object_;  ///< per surface its number (Objects)
  std::size_t first_obstacle_surface_ = 0;
  FrictionTable friction_;
  std::int32_t first_obstacle_frame_ = 0;
  std::vector<Pose> pose_, pose_next_;  ///< pose_next_: of obstacles
  std::vector<FrameTwist> twist_, twist_free_;

  std::vector<std::int32_t> obstacle_surface_;  ///< of obstacle_contacts(), by obstacle
  std::vector<ObstaclePose> obstacle_pose_;
  std::vector<SurfaceOverlap> surface_overlaps_;
  std::vector<MissedPassage> passages_;
};

}  // namespace nodia
