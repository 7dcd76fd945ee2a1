/// Whether a task is done.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "host/io/archive.hpp"
#include "scenarios/task/task.hpp"

namespace nodia {

/// Watches one predicate over the steps of one environment from the beginning of an episode.
///
/// A moment (node_position, body_position, node_distance, wound_turns) is compared at the end of
/// every step; it is reached where it was right in all of the last success_steps(). Every other
/// kind is compared over the last success_steps(), at the end of every control step.
class PredicateWatch {
 public:
  /// @param scene  kept by reference
  PredicateWatch(const TaskDescription& task, const PredicateKind& kind, const Scene& scene);
  ~PredicateWatch();
  PredicateWatch(PredicateWatch&&) noexcept;

  /// To be called for every step, in order.
  void observe(const StepView& view);
  bool reached() const { return reached_; }
  /// What the value of the last comparison lacks, in its unit; 0 where it is right, absent before
  /// the first and where the value is not a number.
  std::optional<double> shortfall() const { return shortfall_; }
  /// Everything that the comparison of the coming steps depends on.
  void archive(Archive& a);

 private:
  struct Window {
    std::unique_ptr<CheckEvaluator> evaluator;
    double first_end_s;  ///< end of its first step [s]
    int n_step = 0;
  };

  std::unique_ptr<CheckEvaluator> evaluator_of(double from_s, double to_s) const;
  /// A window of n_needed_ steps. @param first_end_s  end of its first step [s]
  Window window_from(double first_end_s) const;
  void compare(const CheckEvaluator& evaluator);

  const Scene& scene_;
  PredicateKind kind_;
  bool moment_;
  int n_needed_;                ///< steps
  int period_;                  ///< steps of a control step
  int n_seen_ = 0;              ///< steps
  int n_right_ = 0;             ///< of a moment: last steps in a row that were right
  std::deque<Window> windows_;  ///< open ones, the oldest first
  bool reached_ = false;
  std::optional<double> shortfall_;
};

/// Watches all that a task's success asks for: it is reached where each of them is.
class SuccessWatch {
 public:
  /// @param task   with a success
  /// @param scene  kept by reference
  SuccessWatch(const TaskDescription& task, const Scene& scene);

  /// To be called for every step, in order.
  void observe(const StepView& view);
  bool reached() const;
  /// Of the success itself, see PredicateWatch.
  std::optional<double> shortfall() const { return watches_.front().shortfall(); }
  /// @see PredicateWatch::keep
  void archive(Archive& a);

 private:
  std::vector<PredicateWatch> watches_;  ///< of the success, then of what is asked for besides
};

}  // namespace nodia
