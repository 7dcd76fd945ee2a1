/// The V-FPI loop on a device, with the parts of the step that the device computes: all
/// environments as one batch, in one stream.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "host/problem/device_nodes.hpp"
#include "host/solvers/cond/device_loop_arrays.hpp"
#include "host/solvers/cond/loop_problem.hpp"
#include "host/solvers/device_batch_solver.hpp"
#include "host/step/device_step.hpp"
#include "host/step/node_gather.hpp"
#include "host/step/step_ring.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/vfpi/device/step_graph.hpp"
#include "kernels/vfpi/times.hpp"

namespace nodia {

template <class Precision>
class DeviceLoop {
 public:
  /// @param execution  device and launch mode of the loop
  /// @throws RuntimeError if there is no device, InputError for the number of a missing device
  DeviceLoop(const ExecutionOptions& execution, const CondOptions& own);

  /// Solves every environment of the set problem, and downloads the controls of the iteration. If
  /// the host has made the contacts, also downloads forces and solutions(). May launch prefetched
  /// steps before it waits for this one; they have no effect if this one does not end as expected.
  /// @return times on the device for all environments, without copies; empty if the device rejects
  ///         the step because it lacks room for soft-soft pairs: then no environment has advanced
  /// @throws RuntimeError if the device fails; the object is unusable then
  std::optional<VfpiTimes> run(LoopProblem<Precision>* problem, const PrefetchedSteps& ahead);
  /// Number of launched steps that belong to the next problems. The functions below require 0.
  int n_prefetched() const { return ring_.size(); }
  /// Output of TakeSolutions; if the device made the contacts, of downloaded environments only.
  const typename Precision::Real* solutions() const { return solutions_.data(); }
  /// Sums of a step whose contacts the device made.
  const SoftTotals& soft_totals() const { return bodies_.totals(); }
  /// Begins to download environments of a step whose contacts the device made, in a stream of its
  /// own; of a rejected step, solution and forces of the step before. Neither another download nor
  /// another solve may begin before end_download().
  /// @param problem  the last solved problem
  void begin_download(const LoopProblem<Precision>& problem,
                      const std::vector<EnvironmentRange>& ranges);
  /// Waits for the download, which is then in solutions().
  /// @param out  contacts and the start of the step
  /// @return the downloaded environments
  std::vector<EnvironmentRange> end_download(const LoopProblem<Precision>& problem,
                                             DeviceSolution* out);
  /// Copies nodes at the end of the last step, or nodes of the host, into device memory.
  /// @throws RuntimeError if the device fails
  DeviceNodes gather(const WantedNodes& wanted);
  /// Downloads the data of LoopState of environments [begin, end) into the problem's arrays.
  void download_state(LoopProblem<Precision>* problem, int begin, int end) const;

 private:
  using Real = typename Precision::Real;

  /// Steps of one kind share addresses and therefore recordings.
  struct Steps {
    StepBlock<Precision> block;
    StepGraph<Precision> graph;
  };

  void upload(LoopProblem<Precision>* problem);
  std::size_t choose_advances(LoopProblem<Precision>* problem);
  void carry_state(LoopProblem<Precision>* problem);
  StepSizes step_sizes(const LoopProblem<Precision>& problem) const;
  void begin(LoopProblem<Precision>* problem);
  void follow(LoopProblem<Precision>* problem);
  void launch_prefetched(const LoopProblem<Precision>& problem, const PrefetchedSteps& ahead);
  void launch(const StepParts<Precision>& step);
  void put_block(const LoopProblem<Precision>& problem);
  void upload_block(const LoopProblem<Precision>& problem, bool fresh);
  StateCarry<Precision> carry(const Carried* carried);
  void mark_advanced();
  StepParts<Precision> parts(const LoopProblem<Precision>& problem);
  bool make_room(LoopProblem<Precision>* problem);
  DeviceQueue queue() const { return queue_of(launcher_, stream_.get()); }
  void read_report(LoopProblem<Precision>* problem);
  void fetch_solutions(const LoopProblem<Precision>& problem, EnvironmentRange range,
                       DeviceStream stream);
  void advance_here(const LoopProblem<Precision>& problem, EnvironmentRange range);

  int device_;
  LoopLauncher launcher_;
  OwnedStream stream_;
  OwnedStream download_stream_;
  DeviceFetches fetches_;
  std::vector<EnvironmentRange> begun_;
  DeviceLoopArrays<Precision> arrays_;
  DeviceStep<Precision> bodies_;
  std::vector<Carried> carried_;          ///< [n_env] of the last step, then of this one
  bool advances_ = false;                 ///< some environments have not advanced yet
  DeviceBuffer<Carried> device_carried_;  ///< if nodes advance before the step is launched
  std::array<Steps, 2> steps_;            ///< contacts made by the host; by the device
  Steps* now_ = nullptr;                  ///< kind of this step
  StepRing ring_;                         ///< this step and the prefetched ones
  bool is_rejected_ = false;              ///< the device has rejected this step
  Acceleration acceleration_ = Acceleration::none;
  bool uploads_all_starts_ = true;  ///< one copy for all environments
  DeviceBuffer<WorkItem> work_;
  DeviceBuffer<std::int32_t> first_row_of_A_;
  DeviceBuffer<Real> device_solutions_;
  NodeGather<Precision> gather_;
  // On the host.
  std::vector<Real> solutions_;
};

}  // namespace nodia
