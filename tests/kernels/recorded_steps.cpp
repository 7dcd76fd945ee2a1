/// When a step is recorded again: for every schedule that launches other kernels, for other memory,
/// and after a failure.
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/vfpi/device/recorded_steps.hpp"

namespace nodia {
namespace {

using Key = StepKey<DoublePrecision>;

Key key_of(const ScheduleKey& loop, const VfpiBatch<DoublePrecision>* batch, VfpiQueue* queue,
           int n_block) {
  Key key;
  key.step.loop = loop;
  key.step.batch = batch;
  key.step.queue = queue;
  key.n_block = n_block;
  return key;
}

/// A launcher that writes down what it is given.
struct NameRecorder {
  std::vector<std::string_view> names;

  template <class Kernel, class Count>
  void launch(const char* name, const Kernel&, Count) {
    names.push_back(name);
  }
  template <class Body>
  void repeat_while(LoopCondition*, const Body& body) {
    names.push_back("repeat");
    body();
  }
};

template <class Precision>
std::vector<std::string_view> kernels_of(const ScheduleKey& key) {
  NameRecorder recorder;
  VfpiQueue queue;
  VfpiSchedule<Precision, NameRecorder>(&recorder, key, nullptr, &queue).solve();
  return recorder.names;
}

/// Keys that launch more than the empty one, or in another order.
std::vector<ScheduleKey> keys() {
  std::vector<ScheduleKey> all{
      {.check_every = 1},
      {.stop = StopRule::paper, .check_every = 1},
      {.check_every = 2, .in_one_pass = true},
      {.check_every = 1, .new_w = true},
      {.check_every = 1, .in_one_pass = true},
      {.check_every = 1, .in_one_pass = true, .one_pass_contacts = ContactCase::general},
      {.check_every = 1, .rows_share_contacts = true},
      {.check_every = 1, .in_phases = true},
      {.check_every = 1, .in_one_pass = true, .in_phases = true},
      {.check_every = 1, .w = WKind::bb1, .in_phases = true},
      {.check_every = 1, .in_phases = true, .coupled = true}};
  for (unsigned part = 1; part <= 4; part *= 2)
    all.push_back({.check_every = 1, .new_w = true, .parts = part, .in_phases = true});
  return all;
}

TEST(RecordedSteps, EveryFieldOfTheKeyChangesWhatIsLaunchedAndTheKey) {
  const std::vector<ScheduleKey> all = keys();
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(kernels_of<DoublePrecision>(all[i]), kernels_of<DoublePrecision>(all[j]))
          << i << " " << j;
      EXPECT_NE(kernels_of<MixedPrecision>(all[i]), kernels_of<MixedPrecision>(all[j]));
      EXPECT_FALSE(all[i] == all[j]);
    }
}

TEST(RecordedSteps, IsRecordedOncePerKeyWhileTheMemoryStays) {
  VfpiBatch<DoublePrecision> batch[2];
  VfpiQueue queue[2];
  ScheduleKey other;
  other.in_phases = true;
  int n = 0;
  RecordedSteps<DoublePrecision, int> steps;
  const auto record = [&n] { return ++n; };
  const Key first = key_of({}, &batch[0], &queue[0], 5);
  EXPECT_EQ(steps.get(first, record), 1);
  EXPECT_EQ(steps.get(first, record), 1);
  EXPECT_EQ(steps.get(key_of({}, &batch[0], &queue[0], 6), record), 2);
  EXPECT_EQ(steps.get(key_of(other, &batch[0], &queue[0], 6), record), 3);
  EXPECT_EQ(steps.get(first, record), 1);
  EXPECT_EQ(steps.get(key_of(other, &batch[0], &queue[0], 6), record), 3);
  EXPECT_EQ(steps.get(key_of({}, &batch[1], &queue[0], 5), record), 4);
  EXPECT_EQ(steps.get(first, record), 5) << "of other memory: forgotten";
  EXPECT_EQ(steps.get(key_of({}, &batch[0], &queue[1], 5), record), 6);
}

TEST(RecordedSteps, KeepsThoseThatWereUsedLast) {
  int n = 0;
  RecordedSteps<DoublePrecision, int> steps;
  const auto record = [&n] { return ++n; };
  const auto key = [](int n_block) { return key_of({}, nullptr, nullptr, n_block); };
  constexpr int kKept = static_cast<int>(decltype(steps)::kKept);
  for (int k = 1; k <= kKept; ++k) EXPECT_EQ(steps.get(key(k), record), k);
  EXPECT_EQ(steps.get(key(1), record), 1);
  EXPECT_EQ(steps.get(key(kKept + 1), record), kKept + 1);
  EXPECT_EQ(steps.get(key(1), record), 1);
  EXPECT_EQ(steps.get(key(2), record), kKept + 2) << "the one that was not used for longest";
}

TEST(RecordedSteps, NothingIsKeptOfAFailure) {
  RecordedSteps<DoublePrecision, int> steps;
  const Key key = key_of({}, nullptr, nullptr, 1), other = key_of({}, nullptr, nullptr, 2);
  const auto fail = []() -> int { throw RuntimeError("no memory"); };
  EXPECT_THROW(steps.get(key, fail), RuntimeError);
  EXPECT_EQ(steps.get(key, [] { return 1; }), 1);
  EXPECT_THROW(steps.get(other, fail), RuntimeError);
  EXPECT_EQ(steps.get(other, [] { return 2; }), 2);
  EXPECT_EQ(steps.get(key, fail), 1) << "what was recorded before a failure stays";
}

}  // namespace
}  // namespace nodia
