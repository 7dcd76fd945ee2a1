/// The V-FPI loop on a device: all environments of a problem as one batch, all work in a stream of
/// its own.
#pragma once

#include <optional>

#include "host/solvers/cond/device_soft_contacts.hpp"
#include "host/solvers/cond/device_soft_rows.hpp"
#include "host/solvers/cond/library_rows.hpp"
#include "host/solvers/cond/loop_problem.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/vfpi/carry_state.hpp"
#include "kernels/vfpi/device/device_vfpi.hpp"

namespace nodia {

template <class Precision>
class DeviceLoop {
 public:
  /// @param own  device, loop and product are of the loop
  /// @throws RuntimeError where there is no device or library, InputError for a number that none
  ///         has, and for a library's product in a graph
  explicit DeviceLoop(const CondOptions& own);

  /// Solves every environment of a problem that was set, and brings decisions back into its arrays;
  /// where it has its contacts also forces, and answers into answers().
  /// @return what the device took for all environments, without the copies
  /// @throws RuntimeError where the device fails; then nothing here is of use
  VfpiTimes run(LoopProblem<Precision>* problem);
  /// Of TakeAnswers.
  const typename Precision::Real* answers() const { return answers_.data(); }
  /// Of a problem that leaves its contacts.
  const SoftTotals& soft_totals() const { return soft_contacts_.totals(); }
  /// The answers() of a problem that left its contacts, these, their forces, and where the step
  /// began.
  /// @param problem  that was solved last
  SoftAnswers bring(const LoopProblem<Precision>& problem);
  /// Brings what is kept between solves (LoopMemory) into the problem's arrays.
  void fetch_kept(LoopProblem<Precision>* problem) const;

 private:
  using Real = typename Precision::Real;

  /// Of an environment's part of a vector that products gather.
  static std::size_t node_bytes(const RowCounts& counts) {
    return sizeof(Real) * kNodeStride * kBlockLanes * static_cast<std::size_t>(counts.n_chunk);
  }
  void upload(LoopProblem<Precision>* problem);
  void upload_power(const LoopProblem<Precision>& problem);
  void carry_state(LoopProblem<Precision>* problem);
  void upload_start(LoopProblem<Precision>* problem);
  StateCarry<Precision> carry();
  void assemble();
  void make_contacts(LoopProblem<Precision>* problem);
  void set_environments(const LoopProblem<Precision>& problem);
  /// So that a fault is told with the name of its kernel.
  bool is_checked() const { return launcher_ == LoopLauncher::checked; }
  void download(LoopProblem<Precision>* problem);
  void download_answers(const LoopProblem<Precision>& problem);

  int device_;
  LoopLauncher launcher_;
  OwnedStream stream_;
  std::optional<LibraryRows<Precision>> library_;  ///< where a library multiplies
  LoopArrays<Precision, Owned<DeviceBuffer>> arrays_;
  DeviceSoftRows soft_rows_;          ///< where the problem has its sources
  DeviceSoftContacts soft_contacts_;  ///< where it leaves its contacts
  DeviceBuffer<double> block_value_;  ///< where it has not
  DeviceBuffer<VfpiEnvironment<Precision>> env_;
  std::vector<Carried> carried_on_host_;  ///< per environment, of the last step or of this one
  DeviceBuffer<Carried> carried_;
  DeviceBuffer<ControlEnd> ends_;
  Acceleration acceleration_ = Acceleration::none;
  bool brings_all_starts_ = true;  ///< from the host
  int most_chunks_ = 0;            ///< of an environment
  bool wrote_facts_ = false;       ///< env_ has facts there that the host has not
  DeviceBuffer<WorkItem> work_;
  DeviceBuffer<VfpiQueue> queue_;
  DeviceBuffer<VfpiBatch<Precision>> batch_;
  DeviceVfpi<Precision> vfpi_;
  DeviceBuffer<std::int32_t> first_row_of_A_;
  DeviceBuffer<Real> answers_there_;
  // On the host.
  std::vector<VfpiEnvironment<Precision>> env_here_;
  std::vector<Real> answers_;
};

}  // namespace nodia
