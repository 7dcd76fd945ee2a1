/// A batch whose environments finish at different times, as the device runs it: launches over a
/// list of those that are left, in a loop that only the device's own flag ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/launch/kernel.hpp"
#include "tests/devices/race_detector/launcher.hpp"

namespace nodia {
namespace {

using testing::HasSubstr;

constexpr int kQueueLanes = 64;

struct Batch {
  std::vector<int> remaining, steps, list[2];
  std::vector<double> state;
  int n_active = 0;
  LoopCondition loop{.running = 1, .max_body = 100};

  explicit Batch(int n) : steps(n, 0), list{std::vector<int>(n), std::vector<int>(n)}, state(n) {
    for (int e = 0; e < n; ++e) {
      remaining.push_back((7 * e) % 11);
      state[e] = e;
      list[0][e] = e;
    }
    n_active = n;
  }
};

/// One step of every environment in the list; those that have no steps left exit early.
struct Advance {
  const int* list;
  int* remaining;
  int* steps;
  double* state;

  struct Shared {
    int environment;
    double increment;
  };
  static constexpr int kPhases = 3;
  static constexpr PhaseShape shape(int) { return {1, false}; }
  template <class Memory>
  bool enabled(int item, Memory memory) const {
    return memory.read(&remaining[memory.read(&list[item])]) > 0;
  }
  template <int phase, class Isa, class Memory>
  void run(int item, int, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      memory.write(&shared.environment, memory.read(&list[item]));
      return;
    }
    const int e = memory.read(&shared.environment);
    if constexpr (phase == 1) {
      memory.write(&shared.increment, 0.1 * memory.read(&state[e]) + 1);
    } else {
      memory.write(&state[e], memory.read(&state[e]) + memory.read(&shared.increment));
      memory.write(&steps[e], memory.read(&steps[e]) + 1);
      memory.write(&remaining[e], memory.read(&remaining[e]) - 1);
    }
  }
};

/// next := the entries of `list` that have steps left, in order; flag := whether there are any. One
/// block, whose lanes take runs of entries.
struct Compact {
  const int* list;
  int* next;
  const int* remaining;
  int* n_active;
  int* flag;

  struct Shared {
    int count[kQueueLanes];
    int before[kQueueLanes];
    int n;
  };
  static constexpr int kPhases = 3;
  static constexpr PhaseShape shape(int phase) { return {phase == 1 ? 1 : kQueueLanes, false}; }
  template <class Memory>
  bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class Isa, class Memory>
  void run(int, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 1) {
      int n = 0;
      for (int l = 0; l < kQueueLanes; ++l) {
        memory.write(&shared.before[l], n);
        n += memory.read(&shared.count[l]);
      }
      memory.write(n_active, n);
      memory.write(flag, n > 0 ? 1 : 0);
    } else {
      if (phase == 0 && lane == 0) memory.write(&shared.n, memory.read(n_active));
      // Phase 2 must not look at n_active, which phase 1 has changed.
      const int n = phase == 0 ? memory.read(n_active) : memory.read(&shared.n);
      const int run_length = (n + kQueueLanes - 1) / kQueueLanes;
      int at = phase == 0 ? 0 : memory.read(&shared.before[lane]);
      for (int i = lane * run_length; i < n && i < (lane + 1) * run_length; ++i) {
        const int e = memory.read(&list[i]);
        if (memory.read(&remaining[e]) == 0) continue;
        if (phase == 2) memory.write(&next[at], e);
        ++at;
      }
      if (phase == 0) memory.write(&shared.count[lane], at);
    }
  }
};

enum class QueueDefect { none, in_place };

template <class Launcher>
void run_to_the_end(Launcher& launcher, Batch* batch, QueueDefect defect = QueueDefect::none) {
  int from = 0;
  launcher.repeat_while(&batch->loop, [&] {
    const int to = defect == QueueDefect::in_place ? from : 1 - from;
    launcher.launch("advance",
                    Advance{batch->list[from].data(), batch->remaining.data(), batch->steps.data(),
                            batch->state.data()},
                    &batch->n_active);
    launcher.launch("compact",
                    Compact{batch->list[from].data(), batch->list[to].data(),
                            batch->remaining.data(), &batch->n_active, &batch->loop.running},
                    1);
    from = to;
  });
}

TEST(RaceDetectorQueue, EnvironmentsFinishAtTheirOwnTimeInEveryOrder) {
  for (const int n : {1, 43, 300})
    for (const int n_block : {1, 3, 5, 17})
      for (const std::uint64_t seed : {1, 2, 3}) {
        Batch batch(n);
        RaceDetector launcher({.seed = seed, .n_block = n_block});
        run_to_the_end(launcher, &batch);
        EXPECT_EQ(batch.n_active, 0);
        for (int e = 0; e < n; ++e) {
          double state = e;
          for (int k = 0; k < (7 * e) % 11; ++k) state += 0.1 * state + 1;
          EXPECT_EQ(batch.steps[e], (7 * e) % 11) << "environment " << e;
          EXPECT_EQ(batch.state[e], state) << "environment " << e;
        }
      }
}

TEST(RaceDetectorQueue, CompactingInPlaceIsCaught) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Batch batch(300);
    RaceDetector launcher({.seed = seed});
    launcher.name_region(batch.list[0].data(), batch.list[0].size() * sizeof(int), "list");
    try {
      run_to_the_end(launcher, &batch, QueueDefect::in_place);
      ADD_FAILURE() << "no error";
    } catch (const RuntimeError& error) {
      EXPECT_THAT(error.what(), HasSubstr("kernel compact: race in phase 2 of item 0"));
      EXPECT_THAT(error.what(), HasSubstr("list["));
    }
  }
}

TEST(RaceDetectorQueue, ConditionIsLookedAtBetweenBodies) {
  RaceDetector launcher;
  LoopCondition loop{.running = 0, .max_body = 100};
  int n_body = 0;
  launcher.repeat_while(&loop, [&] { ++n_body; });
  EXPECT_EQ(n_body, 0);
  loop.running = 1;
  launcher.repeat_while(&loop, [&] {
    loop.running = 0;
    loop.running = ++n_body < 5 ? 1 : 0;
  });
  EXPECT_EQ(n_body, 5);
  EXPECT_EQ(loop.n_body, 5);
}

TEST(RaceDetectorQueue, LoopThatNeverEndsIsLeftStillRunning) {
  RaceDetector launcher;
  LoopCondition loop{.running = 1, .max_body = 12};
  int n_body = 0;
  launcher.repeat_while(&loop, [&] { ++n_body; });
  EXPECT_EQ(n_body, 12);
  EXPECT_EQ(loop.running, 1);
}

}  // namespace
}  // namespace nodia
