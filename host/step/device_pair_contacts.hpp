/// Soft-soft contacts that a device makes: capacities, initial forces and the download.
#pragma once

#include <cstdint>
#include <vector>

#include "host/problem/environment_range.hpp"
#include "host/problem/obstacle_contacts.hpp"
#include "host/step/device_paired_surfaces.hpp"
#include "kernels/device/device_fetches.hpp"
#include "kernels/step/pair_contacts.hpp"

namespace nodia {

/// Device addresses of the report about pairs; see StepBlock.
struct PairRecord {
  std::int32_t* fit = nullptr;
  PairReport* report = nullptr;
  double* depth = nullptr;
};

/// Room of environments for soft-soft pairs and their contact nodes.
struct PairRooms {
  std::vector<PairRoom> room;                       ///< [n_env]
  std::vector<std::int32_t> n_contact_node_before;  ///< [n_env] contact nodes of the last solve
};

class DevicePairContacts {
 public:
  explicit DevicePairContacts(const ContactNodeCoupling& coupling) : coupling_(coupling) {}

  /// Takes capacities and contact rules.
  /// @param problem  leaves the contacts to the solver
  /// @param paired  searches of the same problem; receives a capacity for as many pairs
  void take(const ContactProblem& problem, const PairRooms& rooms, DevicePairedSurfaces* paired,
            DeviceStream stream);
  /// Uploads the initial forces of environments that the device does not have.
  void upload_forces(const ContactProblem& problem, const DevicePairedSurfaces& paired,
                     DeviceStream stream);
  PairBatch batch(const DevicePairedSurfaces& paired, const PairRecord& record);

  /// Takes the report of the step. @param report  [n_env]
  void set_reports(std::vector<PairReport> report);
  int n_pair(int env) const { return reports_.empty() ? 0 : reports_[env].n_pair; }
  /// Downloads the pairs of environments of that step.
  void fetch(const std::vector<EnvironmentRange>& ranges, DeviceFetches* fetches,
             DeviceStream stream);
  /// Appends the downloaded pairs. @param made  output, of all environments
  void put(const std::vector<EnvironmentRange>& ranges, const DevicePairedSurfaces& paired,
           DownloadedContacts* made) const;
  /// Download the forces of the step before a rejected step.
  void fetch_last_forces(DeviceFetches* fetches, DeviceStream stream);
  void put_last_forces(const std::vector<EnvironmentRange>& ranges,
                       const DevicePairedSurfaces& paired, DownloadedContacts* made) const;

 private:
  int first_pair(int env) const;

  ContactNodeCoupling coupling_;
  int capacity_ = 0, most_contact_nodes_ = 0;
  std::vector<PairReport> reports_;
  // Host copies.
  std::vector<std::int32_t> device_n_contact_node_;  ///< PairBatch::n_contact_node_before
  std::vector<PairRoom> host_room_;
  std::vector<std::shared_ptr<const ObstacleContacts>> sources_;
  std::vector<PairContact> host_pairs_;
  std::vector<KeptPair> host_kept_;
  std::vector<KeptRange> host_kept_range_;

  DeviceBuffer<PairRoom> room_;
  DeviceBuffer<ContactRule> rule_;
  DeviceBuffer<PairContact> pair_;
  DeviceBuffer<PairCounts> counts_;
  DeviceBuffer<std::int32_t> contact_node_side_, item_, sorted_item_, n_contact_node_before_;
  DeviceBuffer<std::uint64_t> key_, sorted_key_;
  DeviceBuffer<KeptPair> kept_;
  DeviceBuffer<KeptRange> kept_range_;
};

}  // namespace nodia
