/// Solver-independent part of a time step on a device: states and rows of soft bodies, attachments,
/// contacts of soft bodies, and the download of the end-of-step state.
#pragma once

#include <vector>

#include "host/problem/device_nodes.hpp"
#include "host/step/device_soft_contacts.hpp"
#include "host/step/device_soft_rows.hpp"
#include "host/step/row_layout.hpp"
#include "host/step/step_block.hpp"

namespace nodia {

/// Problem of a step, and the layout of its rows in the solver.
struct LaidOutProblem {
  const ContactProblem& problem;
  const RowLayout& rows;
  const LoopRanges& ranges;
  const std::vector<std::uint8_t>& renewed;  ///< [n_env] 1: new rows since the last problem
};

template <class Precision>
class DeviceStep {
 public:
  using Block = StepBlock<Precision>;

  explicit DeviceStep(const ContactNodeCoupling& coupling)
      : coupling_(coupling), contacts_(coupling) {}

  /// Takes states, loads and rows of a step from the host.
  void gather(const LaidOutProblem& in) { rows_.gather(in.problem, in.rows); }
  /// Decides whether the device advances an environment from the last step's start to its end.
  bool advances(int env) const { return rows_.advances(env); }

  /// Uploads what gather() took.
  void upload_rows(const LaidOutProblem& in, DeviceStream stream) {
    rows_.upload(in.problem, in.rows, in.renewed, stream);
  }
  void clear_rows() { rows_ = {}; }
  void clear_contacts() { contacts_ = DeviceSoftContacts(coupling_); }
  /// Allocates the arrays of contacts. Uploads constant data that have changed.
  void reserve_contacts(const LaidOutProblem& in, DeviceStream stream) {
    contacts_.take(in.problem, in.rows, in.renewed, in.ranges, stream);
  }
  void add_sizes(StepSizes* sizes) const { contacts_.add_sizes(rows_.attachments(), sizes); }
  /// Uploads frames of attachments, initial forces, and the capacities of soft-soft pairs.
  void upload_contacts(const LaidOutProblem& in, Block* block, const PairRooms& rooms,
                       DeviceQueue queue);
  /// Points the contacts to other ranges, after a step that lacked room.
  void move_contacts(const LaidOutProblem& in, Block* block, DeviceStream stream);

  /// Writes poses of moving shapes to the block. @param fresh  true if the block has no poses
  /// @return whether a pose has changed
  bool put_poses(const ContactProblem& problem, bool fresh, Block* block) {
    return contacts_.put_obstacles(problem, fresh, block->host(block->obstacle));
  }
  /// Writes the poses of the k-th step after the problem's.
  bool put_poses(const PrefetchedSteps& ahead, int k, Block* block) {
    return contacts_.put_obstacles(ahead, k, block->host(block->obstacle));
  }

  /// Adds the kernels' view of rows and contacts to a launch.
  /// @param env  environments in device memory
  void add_assembly(VfpiEnvironment<Precision>* env, StepParts<Precision>* step) const {
    step->assembly = rows_.template assembly<Precision>(env);
  }
  void add_contacts(VfpiEnvironment<Precision>* env, const VfpiOptions& options, Block* block,
                    StepParts<Precision>* step);
  const SoftRows* environments() const { return rows_.environments(); }

  /// Returns whether soft-soft pairs are possible.
  bool may_have_pairs() const { return contacts_.surfaces_may_collide(); }
  /// Returns whether the device rejected the step because it lacks room for soft-soft pairs.
  bool lacks_pair_room(Block* block) const {
    return may_have_pairs() && block->host(block->gates)->pairs_fit == 0;
  }
  /// Takes the report of a step that has ended from the block.
  void take_report(Block* block);
  const SoftTotals& totals() const { return contacts_.totals(); }

  /// Starts the download of start-of-step states and contacts. For a rejected step it downloads
  /// start-of-step states and the forces of the step before.
  void begin_download(const std::vector<EnvironmentRange>& ranges, bool rejected,
                      DeviceFetches* fetches, DeviceQueue queue);
  /// Writes the downloaded data. @param out  made, start_x and start_v
  void end_download(const ContactProblem& problem, const std::vector<EnvironmentRange>& ranges,
                    bool rejected, std::vector<DownloadedContacts>* made,
                    std::vector<Vec3d>* start_x, std::vector<Vec3d>* start_v) const;
  /// Advances the host's states of environments to the end of the step.
  /// @param v_hat  v_hat(env, node): velocity of the solution [m/s]
  template <class Velocity>
  void advance_host(const ContactProblem& problem, EnvironmentRange range, const Velocity& v_hat) {
    rows_.advance(problem, range.begin, range.end, v_hat);
  }
  /// Returns whether wanted nodes have the same bits on device and host.
  bool has_end(const WantedNodes& wanted, const WantedNodes::Part& part) const {
    return rows_.has_end(part.env, part.first, wanted.n_node, wanted.quantity, part.on_host);
  }

 private:
  static SoftRecord record_of(Block* block);

  ContactNodeCoupling coupling_;
  DeviceSoftRows rows_;
  DeviceSoftContacts contacts_;
};

}  // namespace nodia
