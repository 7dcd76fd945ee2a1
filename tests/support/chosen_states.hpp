/// Chooses, during a run, the states from which tests restart.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "host/io/checkpoint_file.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia::test {

/// Steps between the two checkpoints of a saved state.
inline constexpr int kFollowedSteps = 3;

/// A state of a run, and the state of the same run kFollowedSteps later.
struct SavedState {
  std::string name;           ///< why the state was chosen
  int step = 0;               ///< steps of the run before it
  std::string before, after;  ///< checkpoint bytes

  Checkpoint checkpoint() const { return checkpoint_from_bytes(before, name).environments.at(0); }
  /// The same for a solver that cannot use the memory of the run's solver.
  Checkpoint for_another_solver() const {
    Checkpoint state = checkpoint();
    state.solver.clear();
    return state;
  }
};

/// Chooses the states before the steps in which most contacts begin, slide and end, and the state
/// in the middle of the run. A contact counts if it carries a force.
class StateChooser {
 public:
  explicit StateChooser(int n_step) : middle_(n_step / 2) {}

  /// Adds the next state of the run. The first call is before the first step.
  void add(Checkpoint state) {
    states_.push_back(std::move(state));
    if (states_.size() <= kFollowedSteps) return;
    for (std::size_t e = 0; e < chosen_.size(); ++e) {
      if (events_.front()[e] <= chosen_[e].size) continue;
      chosen_[e] = {events_.front()[e], n_passed_, states_.front(), states_.back()};
    }
    states_.pop_front();
    events_.pop_front();
    ++n_passed_;
  }

  /// Adds the record of the step that follows the last added state.
  void observe(const StepRecord& record) {
    const int n_loaded = record.n_stick + record.n_slip, step = n_step_++;
    const double change = n_loaded - n_loaded_;
    n_loaded_ = n_loaded;
    // Before the first step there is nothing to restart from.
    if (step == 0)
      events_.push_back({});
    else
      events_.push_back({change, 1.0 * record.n_slip, -change, step == middle_ ? 1.0 : 0.0});
  }

  /// The chosen states, each step once. A run in which no contact ends has no such state.
  std::vector<SavedState> states() const {
    std::vector<SavedState> all;
    for (std::size_t e = 0; e < chosen_.size(); ++e) {
      const Chosen& c = chosen_[e];
      const auto is_same = [&](const SavedState& other) { return other.step == c.step; };
      if (c.size > 0 && std::none_of(all.begin(), all.end(), is_same))
        all.push_back({kEvents[e], c.step, bytes_of(c.before), bytes_of(c.after)});
    }
    return all;
  }

 private:
  static constexpr std::array<const char*, 4> kEvents = {"begin", "slide", "end", "middle"};

  struct Chosen {
    double size = 0;  ///< of the event: number of contacts, or 1 in the middle
    int step = 0;
    Checkpoint before, after;
  };

  static std::string bytes_of(const Checkpoint& state) { return checkpoint_bytes({{state}, {}}); }

  int middle_;
  int n_step_ = 0, n_passed_ = 0, n_loaded_ = 0;
  std::deque<Checkpoint> states_;                          ///< the last kFollowedSteps + 1
  std::deque<std::array<double, kEvents.size()>> events_;  ///< of the steps that follow them
  std::array<Chosen, kEvents.size()> chosen_;
};

}  // namespace nodia::test
