/// Generates the contacts of one environment in a step: each candidate pair becomes a contact
/// between nodes or points of bodies, with frame, phi and friction.
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
#include "host/simulation/impacts.hpp"
#include "host/simulation/overlap_watch.hpp"
#include "host/simulation/simulation.hpp"
#include "kernels/step/soft_depths.hpp"

namespace nodia {

/// Contacts of a step. A side k < n_row is row k; a side n_row + k is points[k].
struct StepContacts {
  std::vector<Contact<double>> contacts;
  ContactPoints points;
  std::vector<ContactSides> sides;
  std::vector<SurfacePair> pairs;  ///< pairs from which the contacts were made
  std::vector<Impact> impacts;     ///< contacts with restitution; then those of Impacts::set_laws()
  /// The pairs in the last solution of the step, for make_contacts(); empty in the first solve.
  std::vector<TurnedPair> turned;
  std::vector<Vec3d> turned_v_hat;  ///< [n_row] velocities of that solution [m/s]

  /// Velocity of side i of contact m relative to side j, or to the obstacle's surface [m/s].
  /// @param v_hat  [n_row] [m/s]
  Vec3d relative_velocity(std::size_t m, const Vec3d* v_hat, std::int32_t n_row) const;
  /// Its part by the rows: that of the obstacle's surface is zero [m/s].
  Vec3d row_velocity(std::size_t m, const Vec3d* v_hat, std::int32_t n_row) const;
  void clear();
};

/// Velocities of all rows that bound the motion in a step, see PointMotion [m/s].
struct RowVelocities {
  const std::vector<Vec3d>& now;
  const std::vector<Vec3d>& free;
};

class ContactFinder {
 public:
  /// @param scene, obstacles  kept by reference; obstacles are poses over time
  ContactFinder(const Scene& scene, const std::vector<Path>& obstacles, const BodySystem& system);

  /// Finds the contacts of a step in the two stages below.
  void find(const State& state, const BodySystem& system, const std::vector<Vec3d>& v_free,
            KeyedForces forces, int n_thread, StepContacts* out);
  /// Finds the candidate pairs.
  /// @param state   start of the step; requires system.update_kinematics(state)
  /// @param v       [n_row] present velocities, or those of a first solution of the step; and those
  ///                at its end without contacts (FreeMotion)
  /// @param forces  of the last step
  /// @param out     replaced: the pairs, without contacts
  void find_pairs(const State& state, const BodySystem& system, const RowVelocities& v,
                  KeyedForces forces, int n_thread, StepContacts* out);
  /// True if a point tunnelled in the step of the last find_pairs() without being in a pair.
  /// Obstacles have the end poses that find_pairs() set.
  /// @param end  end of the step; requires system.update_kinematics(end)
  bool find_tunnelling(const State& end, const BodySystem& system);
  /// True if rotations in the step cause an overlap of more than 1/100 of the smaller body that the
  /// linear gaps of the contacts do not contain. Stores pairs that were found only at the end, for
  /// the next find_pairs() of this step.
  /// @param end    end of the step; find_tunnelling() must have been called with it
  /// @param system  its soft bodies have the shifts of the solution (set_solved)
  /// @param v_hat  [n_row] solution [m/s]
  bool turns_into_overlap(const State& end, const BodySystem& system, const StepContacts& found,
                          const Vec3d* v_hat);
  /// Evaluates the pairs in a solution of the step, for make_contacts().
  /// @param end    end of the step in that solution, as in turns_into_overlap()
  /// @param v_hat  [n_row] velocities of the solution [m/s]
  void turn(const State& end, const std::vector<Vec3d>& v_hat, StepContacts* out);
  /// Makes the contacts of the pairs, and drops pairs of bodies that no force can move.
  void make_contacts(const State& state, const BodySystem& system, StepContacts* out) const;
  /// Data for contacts of soft nodes with obstacles and soft surfaces; null if others are possible.
  std::shared_ptr<const ObstacleContacts> obstacle_contacts(const BodySystem& system);
  /// Poses of the obstacles of obstacle_contacts() in the step that starts at `state`.
  void obstacle_motions(const State& state, const BodySystem& system,
                        std::vector<ObstacleMotion>* out);
  /// Same for a step that starts at time_s; changes no member.
  void obstacle_motions_at(double time_s, std::vector<ObstacleMotion>* out);
  /// Converts forces by contact key, ascending, to forces by candidate index, ascending.
  /// @param contacts  obstacle_contacts()
  void by_place(const ObstacleContacts& contacts,
                const std::vector<std::pair<std::uint64_t, Vec3d>>& by_key,
                std::vector<std::pair<std::int32_t, Vec3d>>* out) const;
  /// Writes the keys of contacts at candidates of obstacle_contacts() and of soft-soft pairs.
  void keys_of(std::span<const NodeAtObstacle> place, std::span<const SoftPair> pairs,
               const ObstacleContacts& contacts, std::vector<std::uint64_t>* out) const;
  /// Takes contacts that a solver has made: nodes at obstacle_contacts() and soft-soft pairs.
  /// Requires that obstacle_motions() was last called for this step.
  void take(const State& state, const BodySystem& system, std::span<const NodeAtObstacle> near,
            std::span<const SoftPair> pairs, int n_thread, StepContacts* out);
  /// Finds overlaps of any depth in a state; requires system.update_kinematics(state).
  void find_overlaps(const State& state, const BodySystem& system, std::vector<ObjectOverlap>* out);
  /// Overlaps at the end of a step.
  struct EndOfStep {
    /// Overlaps of nodes with obstacles and of shapes and cables, measured at the end positions;
    /// overlaps of all other contacts, from their gap at the end of the step.
    std::vector<ObjectOverlap> overlaps;
    std::vector<ObjectOverlap> missed;  ///< object i tunnelled through j without a contact
  };
  /// Evaluates the end of a step. Obstacles have the end poses that find() set.
  /// @param end    end state; requires system.update_kinematics(end)
  /// @param found  its sides have the gaps at the end of the step
  void evaluate(const State& end, const BodySystem& system, const StepContacts& found,
                EndOfStep* out);
  /// Same for a step whose contacts and positions are on a device, from the depths measured there.
  /// @param contacts    obstacle_contacts()
  /// @param depth       SoftContacts::depth
  /// @param pair_depth  PairBatch::depth per search of contacts.soft_searches
  void evaluate_from(const ObstacleContacts& contacts, std::span<const SoftDepth> depth,
                     std::span<const double> pair_depth, EndOfStep* out) const;

 private:
  /// One side of a pair in the contact problem.
  struct Side {
    std::int32_t side = kWorld;
    Vec3d velocity{};  ///< current velocity; zero for the world [m/s]
  };

  void add_surfaces(const Scene& scene, const BodySystem& system);
  void exclude_pairs(const Scene& scene);
  bool make_contact(const TurnedPair& turned, const State& state, const BodySystem& system,
                    SurfacePair* pair, StepContacts* out) const;
  void set_poses(const State& state, const BodySystem& system);
  void set_end_poses(const State& end, const BodySystem& system);
  void set_twists(const State& state, const BodySystem& system, const RowVelocities& v);
  ProximityState in_step(const State& state, const RowVelocities& v) const;
  ProximityState at_rest(const State& state) const;
  ProximityState at_end(const State& end) const;
  ObjectOverlap overlap(std::int32_t surface_a, std::int32_t surface_b, double depth_m) const;
  void add_overlaps(const State& state, OverlapScope scope, std::vector<ObjectOverlap>* out);
  Side side_of(const BodyPoint& point, const SceneSurface& surface, const State& state,
               const BodySystem& system, ContactPoints* points) const;
  ContactRule rule_of(std::size_t a, std::size_t b) const;
  double smaller_extent(std::size_t a, std::size_t b) const;

  const Scene& scene_;
  const std::vector<Path>& obstacles_;
  SurfaceList surfaces_;              ///< obstacles are last
  std::vector<double> extent_;        ///< ProximitySearch::smallest_extent() of each surface [m]
  std::vector<std::int32_t> object_;  ///< object number of each surface (Objects)
  std::size_t first_obstacle_surface_ = 0;
  FrictionTable friction_;
  std::int32_t first_obstacle_frame_ = 0;
  std::vector<Pose> pose_, pose_next_;  ///< pose_next_: poses of obstacles at the end
  std::vector<Pose> pose_end_;          ///< of all frames, as of the last find_tunnelling()
  std::vector<FrameTwist> twist_, twist_free_;

  std::vector<std::int32_t> obstacle_surface_;  ///< surface of each obstacle of obstacle_contacts()
  std::vector<ObstaclePose> obstacle_pose_;
  std::vector<SurfaceOverlap> surface_overlaps_;
  std::vector<TurnedPair> turned_;    ///< scratch
  std::vector<SurfacePair> entered_;  ///< of find_entered(), in all solutions of the step
  std::vector<MissedTunnelling> tunnelling_;
  std::vector<MissedTunnelling> tunnelled_;  ///< in earlier solutions of the step
  bool has_tunnelling_ = false;              ///< tunnelling_ belongs to the end of the last step
};

}  // namespace nodia
