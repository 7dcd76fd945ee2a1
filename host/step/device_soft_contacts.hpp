/// Contacts of soft nodes with obstacles and of soft surfaces with each other that are made on a
/// device: constant data, uploads per step, and the download after the loop.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "host/problem/device_reports.hpp"
#include "host/problem/environment_range.hpp"
#include "host/problem/prefetched_steps.hpp"
#include "host/step/device_pair_contacts.hpp"
#include "host/step/device_paired_surfaces.hpp"
#include "host/step/device_soft_rows.hpp"
#include "host/step/loop_arrays.hpp"
#include "host/step/step_block.hpp"
#include "kernels/device/select_flagged.hpp"
#include "kernels/step/kept_forces.hpp"
#include "kernels/step/soft_contacts.hpp"

namespace nodia {

/// Report of every step.
struct SoftTotals {
  std::vector<SoftEvaluation> evaluation;  ///< [n_env]
  DeviceReports reports;
};

/// Device addresses of a step's uploads and report; see StepBlock.
struct SoftRecord {
  StepGates* gates = nullptr;
  std::int32_t* n_multi_contact = nullptr;
  SoftEvaluation* evaluation = nullptr;
  SoftEnd* end = nullptr;
  SoftDepth* depth = nullptr;
  AttachmentSums* attachment_sums = nullptr;
  PairReport* pairs = nullptr;
  double* pair_depth = nullptr;
  const ObstaclePose* obstacle = nullptr;

  PairRecord of_pairs() const { return {&gates->pairs_fit, pairs, pair_depth}; }
};

class DeviceSoftContacts {
 public:
  explicit DeviceSoftContacts(const ContactNodeCoupling& coupling) : pairs_(coupling) {}

  /// Takes a step, and uploads constant data that have changed.
  /// @param problem  leaves the contacts to the solver
  /// @param renewed  per environment, 1: its rows were laid out for this problem
  /// @param ranges   with room for the rows
  void take(const ContactProblem& problem, const RowLayout& rows,
            const std::vector<std::uint8_t>& renewed, const LoopRanges& ranges,
            DeviceStream stream);
  /// Adds the sizes of the step.
  /// @param holds  attachments of the same problem, uploaded
  void add_sizes(const DeviceAttachments& attachments, StepSizes* sizes) const;
  /// Uploads the step, except the poses of obstacles.
  /// @param soft  rows of the same problem, uploaded
  void upload(const ContactProblem& problem, const LoopRanges& ranges, const DeviceSoftRows& soft,
              const SoftRecord& record, DeviceQueue queue);
  /// Uploads capacities and initial forces of soft-soft pairs. Runs after upload().
  void upload_pairs(const ContactProblem& problem, const PairRooms& rooms, DeviceStream stream);
  /// Writes the poses of the obstacles.
  /// @param to  [n_obstacle] of add_sizes(): poses of the last step, or undefined if `fresh`
  /// @return whether a pose has changed
  bool put_obstacles(const ContactProblem& problem, bool fresh, ObstaclePose* to);
  /// Writes the poses of the k-th step after the problem's.
  bool put_obstacles(const PrefetchedSteps& ahead, int k, ObstaclePose* to);
  /// Adapts to more room for rows with several contacts. The arguments are those of upload().
  void point(const ContactProblem& problem, const LoopRanges& ranges, const DeviceSoftRows& soft,
             const SoftRecord& record, DeviceStream stream);

  /// Kernels' view of the uploaded step. @param env  in device memory
  template <class Precision>
  SoftStepBatch<Precision> batch(const DeviceSoftRows& soft, const VfpiOptions& options,
                                 VfpiEnvironment<Precision>* env, const SoftRecord& record) {
    SoftStepBatch<Precision> b;
    b.n_env = static_cast<int>(host_.size());
    b.n_node = n_node_;
    b.n_obstacle = n_obstacle_;
    b.n_body = n_body_;
    b.n_chunk = n_chunk_;
    b.n_slot = n_slot_;
    b.soft = soft.environments();
    b.contacts = device_.data();
    b.env = env;
    b.projection = options.projection;
    b.omega = options.omega;
    b.n_tet = n_tet_;
    b.evaluation = record.evaluation;
    b.end = record.end;
    b.attachments.n_attachment = soft.attachments().most_attachments();
    b.attachments.n_chunk = std::max(1, item_count(soft.attachments().most_nodes()));
    b.attachments.is_attached = soft.attachments().targets().is_attached;
    for (int slot = 0; slot < 2; ++slot) b.attachments.frames[slot] = frames_[slot].device();
    b.attachments.end_slot = device_end_slot_.device();
    b.attachments.chunk_sum = attachment_chunk_sum_.data();
    b.attachments.sum = record.attachment_sums;
    b.pairs = pairs_.batch(paired_, record.of_pairs());
    b.can_be_taken = &record.gates->can_be_taken;
    return b;
  }

  /// Whether soft surfaces may collide in the step, and their search.
  bool surfaces_may_collide() const { return !paired_.empty(); }
  PairedSurfaces paired() const {
    return surfaces_may_collide() ? paired_.paired() : PairedSurfaces{};
  }

  /// Takes the report of the completed step, which totals() returns.
  void set_reports_of_step(std::vector<SoftEvaluation> evaluation, std::vector<SoftEnd> end,
                           std::vector<SoftDepth> depth,
                           std::vector<AttachmentSums> attachment_sums,
                           std::vector<PairReport> pairs, std::vector<double> pair_depth);
  const SoftTotals& totals() const { return totals_; }
  /// Downloads the contacts of environments of that step.
  void fetch_contacts(const std::vector<EnvironmentRange>& ranges, DeviceFetches* fetches,
                      DeviceQueue queue);
  /// Writes the downloaded contacts. @param made  output, of all environments
  void put_contacts(const std::vector<EnvironmentRange>& ranges, DownloadedContacts* made) const;
  /// Download the forces of the step before a rejected step; no other data of its contacts remain.
  void fetch_last_forces(const std::vector<EnvironmentRange>& ranges, DeviceFetches* fetches,
                         DeviceStream stream);
  void put_last_forces(const std::vector<EnvironmentRange>& ranges, DownloadedContacts* made) const;

 private:
  /// Constant data of an environment.
  struct Fixed {
    std::shared_ptr<const ObstacleContacts> source;
    std::shared_ptr<const std::int32_t> surface, row;
    std::shared_ptr<const std::uint8_t> may_collide;
    std::shared_ptr<const ContactRule> rule;
    std::shared_ptr<const double> extent;
    std::shared_ptr<const NodeRange> body;
    std::vector<std::shared_ptr<const void>> meshes;  ///< arrays of the obstacles' meshes
    std::vector<Shape> shape;                         ///< with meshes in device memory

    int n_node() const { return static_cast<int>(source->surface.size()); }
    int n_body() const { return static_cast<int>(source->body.size()); }
    int n_obstacle() const { return static_cast<int>(shape.size()); }
    int n_place() const { return static_cast<int>(source->n_place()); }
  };

  bool fix(const ContactProblem& problem, const RowLayout& rows,
           const std::vector<std::uint8_t>& renewed, DeviceStream stream);
  void make_room(const LoopRanges& ranges, DeviceStream stream);
  int near_of(EnvironmentRange range) const;
  template <class Motions>
  bool put(const Motions& motions, ObstaclePose* to) const;
  void upload_frames(const ContactProblem& problem, const DeviceAttachments& attachments,
                     DeviceStream stream);
  void upload_forces(const ContactProblem& problem, DeviceQueue queue);

  SharedDeviceArrays arrays_;
  std::vector<Fixed> fixed_;  ///< per environment, from its last step
  // [n_env + 1]
  std::vector<int> first_node_, first_place_, first_obstacle_, first_sum_, first_chunk_depth_,
      first_tet_chunk_;
  // Contacts or forces that were downloaded.
  std::vector<Vec3d> host_near_force_;
  std::vector<std::int32_t> places_;          ///< relative to the first of their range
  std::vector<std::int32_t> host_n_flagged_;  ///< [range]
  int n_node_ = 0, n_obstacle_ = 0, n_body_ = 0, n_tet_ = 0, n_chunk_ = 0, n_slot_ = 0;
  SoftTotals totals_;

  bool new_obstacles_ = true;  ///< the device lacks their poses
  std::vector<SoftContacts> host_;
  DeviceBuffer<SoftContacts> device_;
  DeviceBuffer<PreparedObstacle> prepared_;
  DeviceBuffer<double> largest_squared_speed_, own_share_, v_free_, kept_;
  DeviceBuffer<TranslationSum> body_sum_;
  DeviceBuffer<std::uint8_t> flag_;
  DeviceBuffer<std::int32_t> slot_, flagged_, n_flagged_, given_env_;
  DeviceBuffer<PlacedForce> given_;
  DeviceBuffer<Vec3d> near_force_;
  DeviceBuffer<SoftDepth> chunk_depth_;
  DeviceBuffer<double> elastic_sum_;
  /// Frames at the end and at the start of the step; mostly the start is the last end.
  SentFrames frames_[2];
  std::int32_t end_slot_ = 0;
  MirroredArray<std::int32_t> device_end_slot_;
  DeviceBuffer<AttachmentSums> attachment_chunk_sum_;
  DevicePairedSurfaces paired_;
  DevicePairContacts pairs_;
  DeviceSelectFlagged select_;
  std::size_t most_flags_ = 0;  ///< capacity of select_
};

}  // namespace nodia
