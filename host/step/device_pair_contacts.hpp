/// Contacts of soft surfaces with soft surfaces that are made on a device: room for them, what they
/// start from, and what comes down when their loop has ended.
#pragma once

#include <cstdint>
#include <vector>

#include "host/problem/environment_range.hpp"
#include "host/problem/obstacle_contacts.hpp"
#include "host/step/device_meeting_surfaces.hpp"
#include "kernels/device/device_fetches.hpp"
#include "kernels/step/pair_contacts.hpp"

namespace nodia {

/// Where what the host is told of pairs lies in device memory: see StepBlock.
struct PairRecord {
  std::int32_t* fit = nullptr;
  PairsTold* told = nullptr;
  double* depth = nullptr;
};

/// Room of environments for soft-soft pairs and their contact nodes.
struct PairRooms {
  std::vector<PairRoom> room;                  ///< [n_env]
  std::vector<std::int32_t> n_virtual_before;  ///< [n_env] contact nodes of the last solve
};

class DevicePairContacts {
 public:
  explicit DevicePairContacts(const ContactNodeCoupling& coupling) : coupling_(coupling) {}

  /// Takes what there is room for, and rules.
  /// @param problem    that leaves contacts to the solver
  /// @param meeting  of the same problem; gets room for as many pairs
  void take(const ContactProblem& problem, const PairRooms& rooms, DeviceMeetingSurfaces* meeting,
            DeviceStream stream);
  /// Brings the forces to start from of environments whose are not there.
  void upload_forces(const ContactProblem& problem, const DeviceMeetingSurfaces& meeting,
                     DeviceStream stream);
  PairBatch batch(const DeviceMeetingSurfaces& meeting, const PairRecord& record);

  /// Takes what the host was told of the step. @param told  [n_env]
  void take_told(std::vector<PairsTold> told);
  int n_pair(int env) const { return told_.empty() ? 0 : told_[env].n_pair; }
  /// Brings the pairs of environments of that step.
  void fetch(const std::vector<EnvironmentRange>& ranges, DeviceFetches* fetches,
             DeviceStream stream);
  /// Appends them, once they are here. @param made  out, of all environments
  void put(const std::vector<EnvironmentRange>& ranges, const DeviceMeetingSurfaces& meeting,
           MadeContacts* made) const;
  /// The same of the forces of the step before one that was refused.
  void fetch_last_forces(DeviceFetches* fetches, DeviceStream stream);
  void put_last_forces(const std::vector<EnvironmentRange>& ranges,
                       const DeviceMeetingSurfaces& meeting, MadeContacts* made) const;

 private:
  int first_pair(int env) const;

  ContactNodeCoupling coupling_;
  int capacity_ = 0, most_virtual_ = 0;
  std::vector<PairsTold> told_;
  // On the host.
  std::vector<std::int32_t> n_virtual_there_;  ///< PairBatch::n_virtual_before
  std::vector<PairRoom> room_here_;
  std::vector<std::shared_ptr<const ObstacleContacts>> sources_;
  std::vector<PairContact> pairs_here_;
  std::vector<KeptPair> kept_here_;
  std::vector<KeptRange> kept_range_here_;

  DeviceBuffer<PairRoom> room_;
  DeviceBuffer<ContactRule> rule_;
  DeviceBuffer<PairContact> pair_;
  DeviceBuffer<PairCounts> counts_;
  DeviceBuffer<std::int32_t> virtual_side_, item_, sorted_item_, n_virtual_before_;
  DeviceBuffer<std::uint64_t> key_, sorted_key_;
  DeviceBuffer<KeptPair> kept_;
  DeviceBuffer<KeptRange> kept_range_;
};

}  // namespace nodia
