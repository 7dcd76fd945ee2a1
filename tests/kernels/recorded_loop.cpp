/// When a recorded loop is recorded again: for every plan that launches other kernels, for other
/// memory, and after a failure.
#include <gtest/gtest.h>

#include <functional>
#include <string_view>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/vfpi/device/recorded_loop.hpp"

namespace nodia {
namespace {

using Key = LoopKey<DoublePrecision>;
using Change = std::function<void(VfpiPlan*)>;

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
std::vector<std::string_view> kernels_of(const VfpiPlan& plan) {
  NameRecorder recorder;
  VfpiQueue queue;
  VfpiSchedule<Precision, NameRecorder>(&recorder, plan, nullptr, &queue).solve();
  return recorder.names;
}

/// One of every field of a plan.
const std::vector<Change>& changes() {
  static const std::vector<Change> all = {
      [](VfpiPlan* p) { p->options.stop = StopRule::paper; },
      [](VfpiPlan* p) { p->options.check_every = 3; },
      [](VfpiPlan* p) { p->options.w = WKind::bb1; },
      [](VfpiPlan* p) { p->power_products = 4; },
      [](VfpiPlan* p) { p->in_one_pass = true; },
      [](VfpiPlan* p) { p->in_phases = true; },
      [](VfpiPlan* p) { p->coupled = true; },
      [](VfpiPlan* p) { p->several = true; },
      [](VfpiPlan* p) { p->virtual_nodes = true; },
      [](VfpiPlan* p) { p->groups = true; },
      [](VfpiPlan* p) { p->chains = true; },
      [](VfpiPlan* p) { p->cancel_bias = true; },
  };
  return all;
}

/// Every plan that differs in any of the fields.
std::vector<VfpiPlan> plans() {
  std::vector<VfpiPlan> all;
  for (unsigned set = 0; set < 1U << changes().size(); ++set) {
    VfpiPlan plan;
    for (std::size_t i = 0; i < changes().size(); ++i)
      if ((set >> i & 1U) != 0) changes()[i](&plan);
    all.push_back(plan);
  }
  return all;
}

TEST(RecordedLoop, PlansThatLaunchOtherKernelsAreNotTheSame) {
  for (const VfpiPlan& plan : plans()) {
    const std::vector<std::string_view> in_double = kernels_of<DoublePrecision>(plan),
                                        in_mixed = kernels_of<MixedPrecision>(plan);
    EXPECT_TRUE(same_kernels(plan, plan));
    for (const Change& change : changes()) {
      VfpiPlan changed = plan;
      change(&changed);
      const bool others = kernels_of<DoublePrecision>(changed) != in_double ||
                          kernels_of<MixedPrecision>(changed) != in_mixed;
      EXPECT_FALSE(others && same_kernels(plan, changed));
    }
  }
}

TEST(RecordedLoop, WhatKernelsReadFromTheBatchNeedsNoNewRecording) {
  VfpiPlan plan;
  plan.options.tolerance = 1e-9;
  plan.options.max_iterations = 7;
  EXPECT_TRUE(same_kernels(plan, VfpiPlan{}));
}

TEST(RecordedLoop, IsRecordedOncePerKey) {
  VfpiBatch<DoublePrecision> batch[2];
  VfpiQueue queue[2];
  VfpiPlan other;
  other.in_phases = true;
  int n = 0;
  RecordedLoop<DoublePrecision, int> loop;
  const auto record = [&n] { return ++n; };
  const Key first{{}, &batch[0], &queue[0], 5};
  EXPECT_EQ(loop.get(first, record), 1);
  EXPECT_EQ(loop.get(first, record), 1);
  EXPECT_EQ(loop.get({{}, &batch[1], &queue[0], 5}, record), 2);
  EXPECT_EQ(loop.get({{}, &batch[1], &queue[1], 5}, record), 3);
  EXPECT_EQ(loop.get({{}, &batch[1], &queue[1], 6}, record), 4);
  EXPECT_EQ(loop.get({other, &batch[1], &queue[1], 6}, record), 5);
  EXPECT_EQ(loop.get({other, &batch[1], &queue[1], 6}, record), 5);
  EXPECT_EQ(loop.get(first, record), 6);
}

TEST(RecordedLoop, NothingIsKeptOfAFailure) {
  RecordedLoop<DoublePrecision, int> loop;
  const Key key{{}, nullptr, nullptr, 1}, other{{}, nullptr, nullptr, 2};
  const auto fail = []() -> int { throw RuntimeError("no memory"); };
  EXPECT_THROW(loop.get(key, fail), RuntimeError);
  EXPECT_EQ(loop.get(key, [] { return 1; }), 1);
  EXPECT_THROW(loop.get(other, fail), RuntimeError);
  EXPECT_EQ(loop.get(other, [] { return 2; }), 2);
  EXPECT_THROW(loop.get(key, fail), RuntimeError);
  EXPECT_EQ(loop.get(other, [] { return 3; }), 3) << "the recording before a failure is gone";
}

}  // namespace
}  // namespace nodia
