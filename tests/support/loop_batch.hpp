/// A ContactProblem solved by the V-FPI schedule on any launcher, as one batch: the way of the
/// device.
#pragma once

#include "host/solvers/cond/loop_problem.hpp"

namespace nodia::test {

template <class Precision>
class LoopBatch {
 public:
  /// @param capacity  environments that iterate at a time
  LoopBatch(LoopProblem<Precision>* problem, int capacity)
      : problem_(*problem), env_(problem->environments()) {
    for (const auto& env : env_) work_.resize(work_.size() + static_cast<std::size_t>(env.n_chunk));
    batch_ = {problem_.options(), static_cast<int>(env_.size()),
              capacity,           env_.data(),
              work_.data(),       &queue_};
    queue_ = waiting_queue(batch_.options, batch_.n_env, capacity);
  }

  template <class Launcher>
  void solve(Launcher* launcher) {
    VfpiSchedule<Precision, Launcher>(launcher, problem_.key(0, batch_.n_env), &batch_, &queue_)
        .solve();
  }

  /// Calls visit(pointer, bytes, name) for every array of the batch.
  template <class Visit>
  void for_each_array(const Visit& visit) {
    const auto one = [&](const char* name, auto& array) {
      if (!array.empty()) visit(array.data(), array.size() * sizeof(array[0]), name);
    };
    one("env", env_);
    one("work", work_);
    visit(&batch_, sizeof batch_, "batch");
    visit(&queue_, sizeof queue_, "queue");
    LoopArrays<Precision, HostMemory>::each(
        [&](const auto& field, auto& array) { one(field.name, array); }, problem_.arrays());
  }

 private:
  LoopProblem<Precision>& problem_;
  std::vector<VfpiEnvironment<Precision>> env_;
  std::vector<WorkItem> work_;
  VfpiQueue queue_;
  VfpiBatch<Precision> batch_;
};

}  // namespace nodia::test
