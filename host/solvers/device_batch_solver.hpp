/// The interface of solvers that advance a batch of environments on a device.
#pragma once

#include <vector>

#include "host/problem/device_nodes.hpp"
#include "host/problem/device_reports.hpp"
#include "host/problem/environment_range.hpp"
#include "host/problem/prefetched_steps.hpp"
#include "host/solvers/interface.hpp"

namespace nodia {

/// Solution of a step that the device advanced. The device keeps v, contacts, forces and the start
/// of the step until DeviceBatchSolver::end_download().
struct DeviceSolution : Solution {
  DeviceReports reports;  ///< sums over the step's contacts, energies and attachments
  /// The device could not generate the contacts between soft surfaces. The host must build the
  /// step. A download then has the start of the step, and the velocities and the nonzero contact
  /// forces of the step before.
  bool is_rejected = false;
  std::vector<DownloadedContacts> contacts;  ///< [n_env]
  std::vector<Vec3d> start_x, start_v;       ///< [n_node] start of the step [m], [m/s]
};

/// Solves problems that the host has built, as every ContactSolver does. Also solves steps of which
/// the device generates A, b and the contacts of soft rows, and keeps the end of such a step on the
/// device: the next step starts there.
class DeviceBatchSolver : public ContactSolver {
 public:
  /// True if solve_step() accepts the problem's environments.
  virtual bool makes_contacts(const ContactProblem& problem) const = 0;
  /// Solves a step from ContactProblem::soft. The device may begin prefetched steps before it has
  /// reported this one. The next n_prefetched() calls must then be for these steps, and nothing
  /// else may be called in between.
  virtual void solve_step(const ContactProblem& problem, const WarmStart& warm,
                          PrefetchedSteps&& ahead, DeviceSolution* out) = 0;
  /// Number of steps that the device has begun and not reported.
  virtual int n_prefetched() const = 0;
  /// Begins to download ranges of environments from the last solve_step(), each range once. The
  /// problem of that step must be unchanged, except for topologies and SoftSource::x of
  /// environments that are not device-resident.
  /// @throws RuntimeError if the device has lost the step
  virtual void begin_download(const std::vector<EnvironmentRange>& ranges) = 0;
  /// Waits for the download. Call it before the next download and before the next solve.
  /// @param out  v, contacts, their forces and the start of the step of these environments
  /// @throws RuntimeError if the device has lost the step
  virtual void end_download(DeviceSolution* out) = 0;
  /// Copies nodes into an array in device memory, between two solves.
  /// @throws RuntimeError if the device has lost the nodes or fails
  virtual DeviceNodes gather(const WantedNodes& wanted) = 0;
};

}  // namespace nodia
