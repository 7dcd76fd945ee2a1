/// Attachments of nodes to moving frames: implicit springs with the potential 1/2 K |x - target|^2.
/// A frame moves along a path, or it is a robot's link or another body, on which the reaction acts.
/// Nodes can also be attached to points of another soft body.
#pragma once

#include <memory>
#include <vector>

#include "host/problem/attachment_step.hpp"
#include "host/simulation/attachment_frame.hpp"
#include "host/simulation/soft_point.hpp"
#include "host/simulation/spring_row.hpp"

namespace nodia {

/// The attachments of one environment, bound to node indices.
class Attachments {
 public:
  Attachments() = default;
  /// @param targets  targets of the attachments, kept by reference
  /// @param x        positions at t = 0 [m]
  Attachments(const Scene& scene, const std::vector<AttachmentFrameTarget>& targets,
              const BodySystem& system, const std::vector<Vec3d>& x);

  /// Nodes that an attachment can hold, each once, ascending.
  std::vector<std::int32_t> nodes() const;
  /// Pairs of rows that attachments to robots and bodies couple.
  Couplings couplings() const;

  /// Adds the attachments along paths: theta t K to `diagonal` [kg/s] and K (target(time + theta t)
  /// - x - its predicted shift) to `force` [N] of every attached node.
  void add_to_nodes(const State& state, const SoftBodies& soft, std::vector<double>* diagonal,
                    std::vector<Vec3d>* force) const;
  /// Describes these terms for a solver that adds them itself in the step from `start` to end_s.
  void describe(const State& start, double end_s, AttachmentStep* step) const;
  /// True if the attachments along paths hold the same nodes in the step from start_s to end_s as
  /// at now_s, and their frames have the same poses then, bit for bit.
  bool rest(double now_s, double start_s, double end_s) const;
  /// Adds the attachments along paths for position-based methods: K to `stiffness` [N/m] and K
  /// target(time_s) to `pull` [N] of every node held in the step that starts at begin_s.
  void add_targets(double begin_s, double time_s, std::vector<double>* stiffness,
                   std::vector<Vec3d>* pull) const;
  /// Nodes that attachments to robots or bodies couple with other rows in the step that starts at
  /// `state`, each once.
  void add_coupled_nodes(const State& state, std::vector<std::int32_t>* nodes) const;
  /// Adds the attachments to robots and bodies to A and b; requires system.assemble().
  void add_to_system(const State& state, const BodySystem& system, double* value, Vec3d* b);

  /// True if a robot's link holds nodes.
  bool has_robots() const;
  /// Poses of the frames in the state of the last update_kinematics().
  std::vector<Pose> poses(double time_s, const BodySystem& system) const;
  /// True if the attachment holds its nodes in a step that starts at this time.
  bool holds(std::size_t attachment, double time_s) const {
    return groups_[attachment].attachment_frame.holds(time_s);
  }
  /// Sets the entries of the soft bodies that it holds in a step that starts at this time to 0.
  void clear_held(double time_s, std::vector<char>* of_soft_body) const;
  /// Attaches the nodes of an attachment at their current positions.
  /// @param state  state of the last system.update_kinematics()
  void attach(std::size_t attachment, const State& state, const BodySystem& system);
  /// Positions of the attached nodes in their frames, attachment by attachment [m].
  const std::vector<Vec3d>& places() const { return *places_; }
  /// @param places  from places() of a simulation of the same scene
  void set_places(std::vector<Vec3d> places) {
    places_ = std::make_shared<const std::vector<Vec3d>>(std::move(places));
  }

  /// Force and work sums of every attachment; zero if released. Frames of links do no work here.
  /// @param begin_s  start of the step, @param end  state of system.update_kinematics(end)
  std::vector<AttachmentSums> sums(double begin_s, const State& end,
                                   const BodySystem& system) const;
  /// Adds the spring forces of attached nodes on robots' links, with strains linear in v_hat.
  /// @param start  state at the start of the step; requires system.update_kinematics(start)
  void add_link_loads(const State& start, const BodySystem& system, const Vec3d* v_hat,
                      std::vector<LinkLoad>* loads) const;

 private:
  struct GroupNode {
    std::int32_t node;
    SoftPoint point{};                  ///< of the other soft body, if it is attached to one
    std::vector<std::int32_t> block{};  ///< SpringRow::find_blocks(); empty along a path
  };
  struct Group {
    AttachmentFrame attachment_frame;
    std::int32_t soft_body;
    std::int32_t other;  ///< soft body to which they are attached; -1: none
    double stiffness_N_m;
    std::int32_t first;  ///< index of its first node in places_
    std::vector<GroupNode> nodes;
  };

  void add_rotation_error(const Group& group, const Pose& begin, const Pose& end,
                          const BodySystem& system, AttachmentSums* sums) const;
  static std::shared_ptr<const AttachedNodes> attached_nodes_of(const std::vector<Group>& groups);
  /// Target of an attached node on a frame or on another soft body. @param x  of all nodes [m]
  Vec3d target(const Group& group, std::size_t k, const Pose& frame, const Vec3d* x) const;
  /// Position of the k-th node of a group in the frame [m].
  Vec3d place(const Group& group, std::size_t k) const {
    return (*places_)[static_cast<std::size_t>(group.first) + k];
  }

  std::vector<Group> groups_;
  std::shared_ptr<const AttachedNodes> attached_nodes_;  ///< null if there are no attachments
  std::shared_ptr<const std::vector<Vec3d>> places_ = std::make_shared<const std::vector<Vec3d>>();
  TimeStep time_;
  SpringRow row_;  ///< workspace
};

}  // namespace nodia
