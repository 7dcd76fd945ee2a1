/// The V-FPI loop on a device, with as much of its step as runs there: all environments of a
/// problem as one batch, all work in a stream of its own.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "host/problem/device_nodes.hpp"
#include "host/solvers/cond/loop_problem.hpp"
#include "host/solvers/device_batch_solver.hpp"
#include "host/step/device_step.hpp"
#include "host/step/step_ring.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/step/gather_nodes.hpp"
#include "kernels/vfpi/device/step_graph.hpp"
#include "kernels/vfpi/times.hpp"

namespace nodia {

template <class Precision>
class DeviceLoop {
 public:
  /// @param execution  device and launch mode of the loop
  /// @throws RuntimeError if there is no device, InputError for the number of a missing device
  DeviceLoop(const ExecutionOptions& execution, const CondOptions& own);

  /// Solves every environment of a problem that was set, and brings decisions back into its arrays;
  /// where it has its contacts also forces, and answers into solutions(). Steps that follow may be
  /// launched before the host waits for this one; they do nothing where this one ends otherwise
  /// than they need, and are forgotten.
  /// @param ahead  what is known of them
  /// @return times on the device for all environments, without the copies; nothing if the device
  ///         rejects the step because it lacks room for soft-soft pairs: no environment has then
  ///         left the end of the last step
  /// @throws RuntimeError where the device fails; then nothing here is of use
  std::optional<VfpiTimes> run(LoopProblem<Precision>* problem, const PrefetchedSteps& ahead);
  /// Steps that were launched and are those of the next problems. What is said below of the last
  /// problem holds where there are none.
  int n_prefetched() const { return ring_.size(); }
  /// Of TakeSolutions; of a problem that left its contacts, those that were brought.
  const typename Precision::Real* solutions() const { return solutions_.data(); }
  /// Of a problem that leaves its contacts.
  const SoftTotals& soft_totals() const { return bodies_.totals(); }
  /// Begins to bring environments of a problem that left its contacts, of a refused one with answer
  /// and forces of the step before: returns while they come down, by a stream of their own. None
  /// may be begun meanwhile, and no other solve.
  /// @param problem  that was solved last
  void begin_download(const LoopProblem<Precision>& problem,
                      const std::vector<EnvironmentRange>& ranges);
  /// Waits for them: solutions() has theirs. @param out  their made contacts, and where the step
  /// began
  /// @return which they are
  std::vector<EnvironmentRange> end_download(const LoopProblem<Precision>& problem,
                                             DeviceSolution* out);
  /// Nodes at the end of the last solve's step, or as the host has them.
  /// @throws RuntimeError where the device fails
  DeviceNodes gather(const WantedNodes& wanted);
  /// Brings what is kept between solves (LoopState) of environments [begin, end) into the
  /// problem's arrays.
  void download_state(LoopProblem<Precision>* problem, int begin, int end) const;

 private:
  using Real = typename Precision::Real;

  /// Steps of one kind: what they bring and tell lies where it lay, and recordings serve again.
  struct Steps {
    StepBlock<Precision> block;
    StepGraph<Precision> graph;
  };

  /// Of an environment's part of a vector that products gather.
  static std::size_t node_bytes(const RowCounts& counts) {
    return sizeof(Real) * kNodeStride * kBlockLanes * static_cast<std::size_t>(counts.n_chunk);
  }
  void upload(LoopProblem<Precision>* problem);
  void upload_power(const LoopProblem<Precision>& problem);
  std::size_t take_carried(LoopProblem<Precision>* problem);
  void carry_state(LoopProblem<Precision>* problem);
  void upload_start(LoopProblem<Precision>* problem);
  void upload_renewed_rows(LoopProblem<Precision>* problem);
  void upload_arrays(LoopProblem<Precision>* problem);
  void upload_weights(const LoopProblem<Precision>& problem);
  bool is_changed_part(std::size_t k, const void* array, std::size_t bytes);
  StepSizes step_sizes(const LoopProblem<Precision>& problem) const;
  void begin(LoopProblem<Precision>* problem);
  void follow(LoopProblem<Precision>* problem);
  void launch_prefetched(const LoopProblem<Precision>& problem, const PrefetchedSteps& ahead);
  void launch(const StepParts<Precision>& step);
  void put_block(const LoopProblem<Precision>& problem);
  void upload_block(const LoopProblem<Precision>& problem, bool fresh);
  StateCarry<Precision> carry(const Carried* carried);
  void stay();
  StepParts<Precision> parts(const LoopProblem<Precision>& problem);
  bool make_room(LoopProblem<Precision>* problem);
  void set_environments(const LoopProblem<Precision>& problem);
  DeviceQueue queue() const { return queue_of(launcher_, stream_.get()); }
  void read_report(LoopProblem<Precision>* problem);
  void fetch_solutions(const LoopProblem<Precision>& problem, EnvironmentRange range,
                       DeviceStream stream);
  void advance_here(const LoopProblem<Precision>& problem, EnvironmentRange range);

  int device_;
  LoopLauncher launcher_;
  OwnedStream stream_;
  OwnedStream download_stream_;  ///< stream
  DeviceFetches fetches_;
  std::vector<EnvironmentRange> begun_;
  LoopArrays<Precision, Owned<DeviceBuffer>> arrays_;
  DeviceStep<Precision> bodies_;
  DeviceBuffer<double> block_value_;  ///< where it has not
  DeviceBuffer<VfpiEnvironment<Precision>> env_;
  std::vector<Carried> carried_;  ///< per environment, of the last step or of this one
  bool advances_ = false;         ///< some of them do, and have not yet
  /// Written::every_problem as they lie there, while steps make their contacts.
  std::vector<std::vector<std::byte>> uploaded_parts_;
  DeviceBuffer<Carried> device_carried_;  ///< where nodes go before the step is launched
  std::array<Steps, 2> steps_;            ///< whose end is the host's; whose end is left there
  Steps* now_ = nullptr;                  ///< of the step
  StepRing ring_;                         ///< from the step on
  bool is_rejected_ = false;              ///< the step was
  Acceleration acceleration_ = Acceleration::none;
  bool uploads_all_starts_ = true;  ///< from the host
  int most_chunks_ = 0;             ///< of an environment
  bool wrote_facts_ = false;        ///< env_ has facts there that the host has not
  DeviceBuffer<WorkItem> work_;
  DeviceBuffer<std::int32_t> first_row_of_A_;
  DeviceBuffer<Real> device_solutions_;
  DeviceBuffer<GatheredPart> gathered_;
  // On the host.
  std::vector<VfpiEnvironment<Precision>> host_env_;
  std::vector<Real> solutions_;
  std::vector<GatheredPart> host_gathered_;
};

}  // namespace nodia
