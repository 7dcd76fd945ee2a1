/// Nodes held by moving frames: potentials 1/2 K |x - target|^2, implicit in the step. A frame
/// moves along a path, or is a robot's link, which feels the force.
#pragma once

#include <memory>
#include <vector>

#include "host/problem/hold_step.hpp"
#include "host/simulation/holder.hpp"
#include "host/simulation/spring_row.hpp"

namespace nodia {

/// The attachments of one environment, bound to node indices.
class Attachments {
 public:
  Attachments() = default;
  /// @param targets  of the attachments, kept by reference
  /// @param x        positions at t = 0 [m]
  Attachments(const Scene& scene, const std::vector<HolderTarget>& targets,
              const BodySystem& system, const std::vector<Vec3d>& x);

  /// Nodes that some may hold, each once, ascending.
  std::vector<std::int32_t> nodes() const;
  /// Rows that attachments to robots couple.
  Couplings couplings() const;

  /// Along paths: adds theta t K to `diagonal` [kg/s] and K (target(time + theta t) - x) to `force`
  /// [N] of every held node.
  void add_to_nodes(const State& state, std::vector<double>* diagonal,
                    std::vector<Vec3d>* force) const;
  /// The same for a solver that adds it in the step from `start` to end_s.
  void describe(const State& start, double end_s, HoldStep* step) const;
  /// Whether those along paths hold in the step from start_s to end_s where they hold at now_s, and
  /// their frames are where they are then, bit for bit.
  bool rest(double now_s, double start_s, double end_s) const;
  /// Along paths, for methods on positions: adds K to `stiffness` [N/m] and K target(time_s) to
  /// `pull` [N] of every node that is held in the step that starts at begin_s.
  void add_targets(double begin_s, double time_s, std::vector<double>* stiffness,
                   std::vector<Vec3d>* pull) const;
  /// Nodes that robots hold in the step that starts at `state`, each once.
  void add_nodes_on_robots(const State& state, std::vector<std::int32_t>* nodes) const;
  /// To robots, after system.assemble.
  void add_to_system(const State& state, const BodySystem& system, double* value, Vec3d* b);

  /// Of their frames, in the state of the last update_kinematics().
  std::vector<Pose> poses(double time_s, const BodySystem& system) const;
  /// Whether an attachment does in a step that starts at this time.
  bool holds(std::size_t attachment, double time_s) const {
    return groups_[attachment].holder.holds(time_s);
  }
  /// Takes hold of an attachment's nodes where they are.
  /// @param state  system.update_kinematics(state)
  void take_hold(std::size_t attachment, const State& state, const BodySystem& system);
  /// Of the held nodes in their frames, attachment by attachment [m].
  const std::vector<Vec3d>& places() const { return *places_; }
  /// @param places  as places() of a simulation of the same scene
  void set_places(std::vector<Vec3d> places) {
    places_ = std::make_shared<const std::vector<Vec3d>>(std::move(places));
  }

  /// Of every attachment; zero of one that does not hold. Frames of links do no work here.
  /// @param begin_s  start of the step, @param end  state at its end; system.update_kinematics(end)
  std::vector<HoldSums> sums(double begin_s, const State& end, const BodySystem& system) const;
  /// Adds what held nodes exert on robots' links in the step as it was solved: the springs' forces
  /// with strains linear in v_hat.
  /// @param start  state at its start; system.update_kinematics(start)
  void add_link_loads(const State& start, const BodySystem& system, const Vec3d* v_hat,
                      std::vector<LinkLoad>* loads) const;

 private:
  struct HeldNode {
    std::int32_t node;
    std::vector<std::int32_t> block{};  ///< SpringRow::find_blocks, of the first step on a robot
  };
  struct Group {
    Holder holder;
    double stiffness_N_m;
    std::int32_t first;  ///< of its nodes' places
    std::vector<HeldNode> nodes;
  };

  static std::shared_ptr<const AttachmentHolds> holds_of(const std::vector<Group>& groups);
  /// Of the k-th node of a group, in the frame [m].
  Vec3d place(const Group& group, std::size_t k) const {
    return (*places_)[static_cast<std::size_t>(group.first) + k];
  }

  std::vector<Group> groups_;
  std::shared_ptr<const AttachmentHolds> holds_;  ///< null: there are none
  std::shared_ptr<const std::vector<Vec3d>> places_ = std::make_shared<const std::vector<Vec3d>>();
  TimeStep time_;
  SpringRow row_;  ///< workspace
};

}  // namespace nodia
