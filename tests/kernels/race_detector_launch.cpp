/// Algorithms as the device runs them: right ones give the same bits in every order, and in wrong
/// ones the launcher names the defect.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/launch/reduction.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/error_of.hpp"

namespace nodia {
namespace {

using test::error_of;
using testing::AllOf;
using testing::HasSubstr;

enum class Defect {
  none,
  missing_barrier,    ///< steps 0 and 1 of the reduction in one phase
  two_writers,        ///< two lanes write the same partial
  chained_blocks,     ///< a block adds the partial of the block before it
  unwritten_shared,   ///< lanes past the end leave their term as it is
  read_past_the_end,  ///< lanes past the end load all the same
};

/// partial[c] := sum of the values of chunk c, largest[c] := their maximum, where wanted[c].
template <Defect defect = Defect::none>
struct ChunkSum {
  int n;
  const double* value;
  const int* wanted;
  double* partial;
  double* largest;

  using Reduction = BlockReduction<Combine::sum, Combine::max>;
  struct Shared {
    Reduction reduction;
  };
  static constexpr int kStore = Reduction::kSteps + 1;
  static constexpr int kPhases = kStore + 1;
  static constexpr PhaseShape shape(int phase) {
    if (phase == 0) return {kBlockLanes, false};
    if (phase < kStore) return Reduction::shape(phase - 1);
    return {defect == Defect::two_writers ? 2 : 1, false};
  }

  template <class Memory>
  bool enabled(int chunk, Memory memory) const {
    return memory.read(&wanted[chunk]) != 0;
  }

  template <int phase, class Isa, class Memory>
  void run(int chunk, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      const int i = chunk * kBlockLanes + lane;
      const bool inside = i < n || defect == Defect::read_past_the_end;
      if (!inside && defect == Defect::unwritten_shared) return;
      memory.write(&shared.reduction.term[0][lane], inside ? memory.read(&value[i]) : 0.0);
      memory.write(&shared.reduction.term[1][lane],
                   inside ? memory.read(&value[i]) : -std::numeric_limits<double>::infinity());
    } else if constexpr (phase < kStore) {
      constexpr bool kMerged = defect == Defect::missing_barrier;
      if constexpr (!kMerged || phase != 2)
        shared.reduction.template run<phase - 1, Isa>(lane, memory);
      if constexpr (kMerged && phase == 1)
        if (lane < Reduction::shape(1).lanes) shared.reduction.template run<1, Isa>(lane, memory);
    } else {
      double sum = shared.reduction.result(0, memory);
      if (defect == Defect::chained_blocks && chunk > 0) sum += memory.read(&partial[chunk - 1]);
      memory.write(&partial[chunk], sum);
      memory.write(&largest[chunk], shared.reduction.result(1, memory));
    }
  }
};

struct Sums {
  int n;
  std::vector<double> value;  ///< longer than n, so that what lies past the end is no other array
  std::vector<double> partial, largest;
  std::vector<int> wanted;

  explicit Sums(int n_value) : n(n_value), value(n_value + kBlockLanes) {
    std::mt19937 generator(n_value);
    std::uniform_real_distribution<double> exponent(-12, 12), sign(-1, 1);
    for (double& x : value) x = std::copysign(std::pow(10.0, exponent(generator)), sign(generator));
    wanted.assign(n_chunk(), 1);
    partial.assign(n_chunk(), -7);
    largest.assign(n_chunk(), -7);
  }
  int n_chunk() const { return (n + kBlockLanes - 1) / kBlockLanes; }

  template <Defect defect = Defect::none>
  ChunkSum<defect> kernel() {
    return {n, value.data(), wanted.data(), partial.data(), largest.data()};
  }
  void name_regions(RaceDetector* launcher) const {
    launcher->name_region(value.data(), n * sizeof(double), "value");
    launcher->name_region(wanted.data(), wanted.size() * sizeof(int), "wanted");
    launcher->name_region(partial.data(), partial.size() * sizeof(double), "partial");
    launcher->name_region(largest.data(), largest.size() * sizeof(double), "largest");
  }
};

constexpr int kGrids[] = {1, 2, 5, 64};

/// What a launch of ChunkSum with this defect throws.
template <Defect defect>
std::string error_of_defect(const RaceOptions& options) {
  Sums sums(597);
  RaceDetector launcher(options);
  sums.name_regions(&launcher);
  return error_of([&] { launcher.launch("chunk_sum", sums.kernel<defect>(), sums.n_chunk()); });
}

template <Defect defect, class Matcher>
void expect_in_every_order(const Matcher& message, bool strict_regions = false) {
  for (const int n_block : kGrids)
    for (const std::uint64_t seed : {1, 2, 3})
      EXPECT_THAT(error_of_defect<defect>({seed, n_block, strict_regions}), message)
          << n_block << " blocks, seed " << seed;
}

TEST(RaceDetectorLaunch, OrderedSumsHaveTheSameBitsInEveryOrderAndInPacks) {
  for (const int n : {1, 255, 256, 257, 597, 5000}) {
    Sums expected(n);
    for (int c = 0; c < expected.n_chunk(); ++c) run_item<OneLane>(expected.kernel(), c);
    Sums portable(n), avx2(n);
    for (int c = 0; c < expected.n_chunk(); ++c) {
      run_item<Portable>(portable.kernel(), c);
      run_item<Avx2>(avx2.kernel(), c);
    }
    EXPECT_EQ(portable.partial, expected.partial);
    EXPECT_EQ(portable.largest, expected.largest);
    EXPECT_EQ(avx2.partial, expected.partial);
    EXPECT_EQ(avx2.largest, expected.largest);
    for (const int n_block : kGrids)
      for (const std::uint64_t seed : {1, 2, 3}) {
        Sums sums(n);
        RaceDetector launcher({.seed = seed, .n_block = n_block, .strict_regions = true});
        sums.name_regions(&launcher);
        launcher.launch("chunk_sum", sums.kernel(), sums.n_chunk());
        EXPECT_EQ(sums.partial, expected.partial) << n_block << " blocks, seed " << seed;
        EXPECT_EQ(sums.largest, expected.largest) << n_block << " blocks, seed " << seed;
      }
  }
}

TEST(RaceDetectorLaunch, MissingBarrierIsCaught) {
  expect_in_every_order<Defect::missing_barrier>(
      AllOf(HasSubstr("kernel chunk_sum: race in phase 1 of item "), HasSubstr("lane "),
            HasSubstr("Shared + "), HasSubstr("a barrier between them is missing")));
}

TEST(RaceDetectorLaunch, TwoLanesWritingTheSameWordAreCaught) {
  expect_in_every_order<Defect::two_writers>(AllOf(HasSubstr("race in phase 9 of item "),
                                                   HasSubstr("writes partial["),
                                                   HasSubstr("lane 0"), HasSubstr("lane 1")));
}

TEST(RaceDetectorLaunch, ReadingWhatAnotherBlockWritesIsCaught) {
  expect_in_every_order<Defect::chained_blocks>(
      AllOf(HasSubstr("race between items: item "), HasSubstr("(phase 9, lane 0)"),
            HasSubstr("partial["), HasSubstr("only the next launch may see it")));
}

TEST(RaceDetectorLaunch, UnwrittenSharedIsCaught) {
  expect_in_every_order<Defect::unwritten_shared>(
      AllOf(HasSubstr("item 2 (phase 1, lane "), HasSubstr("reads Shared + "),
            HasSubstr("which nothing has written for this item")));
}

TEST(RaceDetectorLaunch, ReadingPastTheEndIsCaught) {
  expect_in_every_order<Defect::read_past_the_end>(
      AllOf(HasSubstr("item 2 (phase 0, lane "), HasSubstr("outside every array")), true);
}

TEST(RaceDetectorLaunch, ItemsThatAreNotEnabledTouchNothing) {
  for (const int n_block : kGrids) {
    Sums all(5000), sums(5000);
    for (int c = 0; c < all.n_chunk(); ++c) run_item<OneLane>(all.kernel(), c);
    for (int c = 0; c < sums.n_chunk(); ++c) sums.wanted[c] = c % 3 == 0 ? 1 : 0;
    RaceDetector launcher({.n_block = n_block});
    launcher.launch("chunk_sum", sums.kernel(), sums.n_chunk());
    for (int c = 0; c < sums.n_chunk(); ++c)
      EXPECT_EQ(sums.partial[c], c % 3 == 0 ? all.partial[c] : -7) << "chunk " << c;
  }
}

TEST(RaceDetectorLaunch, NumberOfItemsIsReadWhenTheLaunchStarts) {
  Sums sums(5000);
  int n_item = 4;
  RaceDetector launcher;
  launcher.launch("chunk_sum", sums.kernel(), &n_item);
  EXPECT_NE(sums.partial[3], -7);
  EXPECT_EQ(sums.partial[4], -7);
  n_item = 0;
  sums.partial[0] = -7;
  launcher.launch("chunk_sum", sums.kernel(), &n_item);
  EXPECT_EQ(sums.partial[0], -7);
}

/// Logs the order of its calls past the launcher's eyes.
struct LogOrder {
  std::vector<int>* log;

  using Shared = NoShared;
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int) { return {32, false}; }
  template <class Memory>
  bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class Isa, class Memory>
  void run(int item, int lane, Shared&, Memory) const {
    log->push_back((item * kPhases + phase) * shape(phase).lanes + lane);
  }
};

TEST(RaceDetectorLaunch, SeedsChangeTheOrderAndEveryLaneRunsOnce) {
  std::vector<std::vector<int>> logs;
  for (const std::uint64_t seed : {1, 2, 2}) {
    logs.emplace_back();
    RaceDetector launcher({.seed = seed, .n_block = 3});
    launcher.launch("log_order", LogOrder{&logs.back()}, 7);
  }
  EXPECT_NE(logs[0], logs[1]) << "lanes and blocks run in the order of the seed";
  EXPECT_EQ(logs[1], logs[2]) << "a run can be repeated";
  std::vector<int> sorted = logs[0];
  std::sort(sorted.begin(), sorted.end());
  ASSERT_EQ(sorted.size(), 7U * 2 * 32);
  for (int i = 0; i < 7 * 2 * 32; ++i) EXPECT_EQ(sorted[i], i);
}

/// Item i has i rounds, each with half the lanes of the one before, which add what as many further
/// lanes have got. Without `barriers` they add what their own round writes.
struct Rounds {
  int* count;     ///< rounds of every item
  double* value;  ///< 2 kBlockLanes an item
  bool barriers = true;

  using Shared = NoShared;
  static constexpr int kPhases = 3;
  static constexpr PhaseShape shape(int) { return {kBlockLanes, true}; }
  static constexpr bool is_repeated(int phase) { return phase == 1; }

  template <class Memory>
  bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class Memory>
  int n_lane(int item, int round, Memory) const {
    return round < item ? kBlockLanes >> (round + 1) : 0;
  }
  template <int phase, class Isa, class Memory>
  void run(int item, int lane, Shared&, Memory memory) const {
    using P = Lanes<double, Isa>;
    double* own = value + 2 * kBlockLanes * item + lane;
    memory.template store<P>(own, phase == 0 ? P(1.0) : 2 * memory.template load<P>(own));
    if (phase == 0) memory.template store<P>(own + kBlockLanes, P(0.0));
  }
  template <int phase, class Isa, class Memory>
  void run_round(int item, int round, int lane, Shared&, Memory memory) const {
    using P = Lanes<double, Isa>;
    double* own = value + 2 * kBlockLanes * item + lane;
    const int other = barriers ? n_lane<phase>(item, round, memory) : 0;
    memory.template store<P>(own, memory.template load<P>(own) +
                                      memory.template load<P>(own + other + (barriers ? 0 : 1)));
    if (lane == 0) memory.write(count + item, memory.read(count + item) + 1);
  }
};

TEST(RaceDetectorLaunch, APhaseIsRepeatedAsOftenAsItsItemNeeds) {
  const auto sums_of = [](const auto& launch) {
    std::vector<int> count(4);
    std::vector<double> value(4 * 2 * kBlockLanes);
    launch(Rounds{count.data(), value.data()});
    EXPECT_EQ(count, (std::vector<int>{0, 1, 2, 3}));
    return value;
  };
  const std::vector<double> expected = sums_of([](const Rounds& kernel) {
    for (int item = 0; item < 4; ++item) run_item<OneLane>(kernel, item);
  });
  EXPECT_EQ(expected[0], 2);  // no round
  EXPECT_EQ(expected[2 * kBlockLanes * 3], 16);
  EXPECT_EQ(expected[2 * kBlockLanes * 3 + 127], 4);
  EXPECT_EQ(expected, sums_of([](const Rounds& kernel) {
              for (int item = 0; item < 4; ++item) run_item<Portable>(kernel, item);
            }));
  for (const int n_block : {1, 3})
    EXPECT_EQ(expected, sums_of([&](const Rounds& kernel) {
                RaceDetector({.n_block = n_block}).launch("rounds", kernel, 4);
              }));
}

TEST(RaceDetectorLaunch, ARoundThatReadsWhatItsOtherLanesWriteIsCaught) {
  std::vector<int> count(4);
  std::vector<double> value(4 * 2 * kBlockLanes);
  EXPECT_THAT(error_of([&] {
                RaceDetector().launch("rounds", Rounds{count.data(), value.data(), false}, 4);
              }),
              HasSubstr("rounds"));
}

/// A kernel whose phase has one lane more than the shadow can distinguish.
struct TooWide {
  struct Shared {};
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {RaceShadow::kMaxLanes + 1, false}; }
  template <class Memory>
  bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class Isa, class Memory>
  void run(int, int, Shared&, Memory) const {}
};

TEST(RaceDetectorLaunch, LanesThatTheShadowDoesNotTellApartAreRefused) {
  EXPECT_THAT(error_of<InputError>([] { RaceDetector().launch("wide", TooWide{}, 1); }),
              HasSubstr("lanes = 1024 (must be <= 1023"));
}

TEST(RaceDetectorLaunch, OptionsAreChecked) {
  EXPECT_THROW(RaceDetector({.n_block = 0}), InputError);
}

}  // namespace
}  // namespace nodia
