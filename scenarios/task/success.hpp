/// Detects the success of a task.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "host/io/archive.hpp"
#include "scenarios/task/task.hpp"

namespace nodia {

/// Evaluates one predicate over the steps of one environment, from the start of an episode.
///
/// An instantaneous predicate (node_position, body_position, node_distance, wound_turns) is
/// evaluated at the end of every time step. It is reached if it was true in all of the last
/// success_steps() steps. Any other predicate is evaluated over the last success_steps() steps, at
/// the end of every control step.
class PredicateWatch {
 public:
  /// @param scene  kept by reference
  PredicateWatch(const TaskDescription& task, const PredicateKind& kind, const Scene& scene);
  ~PredicateWatch();
  PredicateWatch(PredicateWatch&&) noexcept;

  /// Must be called for every step, in order.
  void observe(const StepView& view);
  bool reached() const { return reached_; }
  /// Distance of the last value from its bound, in its unit; 0 if the predicate was true. Absent
  /// before the first evaluation, and if the value was not a number.
  std::optional<double> shortfall() const { return shortfall_; }
  /// Saves or loads everything that later evaluations depend on.
  void archive(Archive& a);

 private:
  struct Window {
    std::unique_ptr<CheckEvaluator> evaluator;
    double first_end_s;  ///< time at the end of its first step [s]
    int n_step = 0;      ///< number of observed steps
  };

  std::unique_ptr<CheckEvaluator> evaluator_of(double from_s, double to_s) const;
  /// Starts a window of n_needed_ steps. @param first_end_s  time at the end of its first step [s]
  Window window_from(double first_end_s) const;
  void compare(const CheckEvaluator& evaluator);

  const Scene& scene_;
  PredicateKind kind_;
  bool moment_;                 ///< the predicate is instantaneous
  int n_needed_;                ///< success_steps()
  int period_;                  ///< time steps per control step
  int n_seen_ = 0;              ///< observed steps
  int n_right_ = 0;             ///< instantaneous: consecutive last steps in which it was true
  std::deque<Window> windows_;  ///< unfinished windows, the oldest first
  bool reached_ = false;
  std::optional<double> shortfall_;
};

/// Evaluates the keys `success` and `success_also` of a task. The success is reached if all their
/// predicates are reached at the same time.
class SuccessWatch {
 public:
  /// @param task   has a `success`
  /// @param scene  kept by reference
  SuccessWatch(const TaskDescription& task, const Scene& scene);

  /// Must be called for every step, in order.
  void observe(const StepView& view);
  bool reached() const;
  /// Shortfall of the predicate in `success`, see PredicateWatch::shortfall().
  std::optional<double> shortfall() const { return watches_.front().shortfall(); }
  /// @see PredicateWatch::archive
  void archive(Archive& a);

 private:
  std::vector<PredicateWatch> watches_;  ///< `success`, then `success_also`
};

}  // namespace nodia
