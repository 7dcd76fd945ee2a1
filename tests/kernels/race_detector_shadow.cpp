/// The launcher's eyes: which accesses conflict, byte by byte, and which do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/launch/kernel.hpp"
#include "tests/devices/race_detector/launcher.hpp"

namespace nodia {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Two phases of two lanes that call `body(phase, item, lane, shared, memory)`.
template <class Body>
struct Scripted {
  Body body;

  struct Shared {
    std::uint8_t byte[16];
    int word[4];
  };
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int) { return {2, false}; }
  template <class Memory>
  bool enabled(int, Memory) const {
    return true;
  }
  template <int phase, class Isa, class Memory>
  void run(int item, int lane, Shared& shared, Memory memory) const {
    body(phase, item, lane, shared, memory);
  }
};

template <class Body>
Scripted(Body) -> Scripted<Body>;

constexpr RaceOptions kCollect{.throw_on_conflict = false};

std::vector<RaceConflict> conflicts_of(int n_item, const auto& body,
                                       const RaceOptions& options = kCollect) {
  RaceDetector launcher(options);
  launcher.launch("scripted", Scripted{body}, n_item);
  return launcher.conflicts();
}

auto is_fault(RaceFault fault) {
  return testing::Field("fault", &RaceConflict::fault, fault);
}

TEST(RaceShadow, NeighbouringBytesOfOneWordDoNotConflict) {
  alignas(8) std::uint8_t byte[8] = {};
  const auto lanes = [&](int, int, int lane, auto&, auto memory) {
    memory.write(&byte[3 + lane], std::uint8_t{1});
  };
  EXPECT_THAT(conflicts_of(1, lanes), IsEmpty());
  const auto items = [&](int, int item, int lane, auto&, auto memory) {
    if (lane == 0) memory.write(&byte[item], std::uint8_t{1});
  };
  EXPECT_THAT(conflicts_of(8, items), IsEmpty());
}

TEST(RaceShadow, OneByteOfAWordThatIsReadConflicts) {
  alignas(8) std::uint8_t byte[8] = {};
  const auto body = [&](int phase, int, int lane, auto&, auto memory) {
    if (phase != 0) return;
    if (lane == 0) memory.write(&byte[5], std::uint8_t{1});
    if (lane == 1) memory.read(reinterpret_cast<const std::uint64_t*>(byte));
  };
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const auto found = conflicts_of(1, body, {.seed = seed, .throw_on_conflict = false});
    ASSERT_THAT(found, ElementsAre(is_fault(RaceFault::lane_race))) << "seed " << seed;
    EXPECT_EQ(found[0].address, reinterpret_cast<std::uintptr_t>(&byte[5]));
    EXPECT_NE(found[0].first.lane, found[0].second.lane);
    EXPECT_NE(found[0].first_access, found[0].second_access);
  }
}

TEST(RaceShadow, BarriersOrderLanesAndLaunchesOrderItems) {
  int value[2] = {};
  const auto lanes = [&](int phase, int, int lane, auto&, auto memory) {
    if (phase == 0) memory.write(&value[lane], lane);
    if (phase == 1) memory.read(&value[1 - lane]);
  };
  EXPECT_THAT(conflicts_of(1, lanes), IsEmpty());

  const auto writes = [&](int phase, int item, int lane, auto&, auto memory) {
    if (phase == 0 && lane == 0) memory.write(&value[item], item);
  };
  const auto reads = [&](int, int item, int, auto&, auto memory) { memory.read(&value[1 - item]); };
  RaceDetector launcher(kCollect);
  launcher.launch("writes", Scripted{writes}, 2);
  launcher.launch("reads", Scripted{reads}, 2);
  EXPECT_THAT(launcher.conflicts(), IsEmpty());
}

TEST(RaceShadow, ThirdLaneConflictsWithTwoReaders) {
  int value = 0;
  const auto body = [&](int phase, int item, int lane, auto&, auto memory) {
    if (lane == 0 && phase == 0) memory.read(&value);
    if (lane == 0 && phase == 1 && item == 2) memory.write(&value, 1);
  };
  for (const std::uint64_t seed : {1, 2, 3, 4})
    EXPECT_THAT(conflicts_of(3, body, {.seed = seed, .throw_on_conflict = false}),
                testing::Contains(is_fault(RaceFault::item_race)));
}

TEST(RaceShadow, ItemsOfOneBlockConflictToo) {
  int value = 0;
  const auto body = [&](int phase, int, int lane, auto&, auto memory) {
    if (phase == 0 && lane == 0) memory.write(&value, 1);
  };
  EXPECT_THAT(conflicts_of(2, body, {.n_block = 1, .throw_on_conflict = false}),
              ElementsAre(is_fault(RaceFault::item_race)));
}

/// Compares the shadow with a list of all earlier accesses of every byte. A sequence of random
/// accesses of 1 to 32 bytes ends at its first conflict.
TEST(RaceShadow, AccessesOfAnySizeConflictWhereTheirBytesDo) {
  struct Touch {
    int item, phase, lane;
    bool writes;
  };
  int n_clash = 0;
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    alignas(1024) static std::byte memory[4096];
    const int first = 960 + 64 * draw(2);  // across the end of a page of 1024 bytes, or not
    std::vector<Touch> touches[128];
    RaceShadow shadow;
    shadow.throw_on_conflict = false;
    shadow.begin_launch("sizes");
    RaceBlock block;
    bool clash = false;
    for (int step = 0; step < 60 && !clash; ++step) {
      if (step == 0 || draw(3) == 0) {
        block.phase = step;
        block.item = draw(2);
        shadow.begin_item(&block);
        shadow.begin_phase(block);
      }
      const Touch now{block.item, block.phase, draw(3), draw(4) == 0};
      const int bytes = 1 << draw(6), at = draw(128 / bytes) * bytes;
      for (int k = at; k < at + bytes; ++k) {
        for (const Touch& earlier : touches[k])
          clash |= (now.writes || earlier.writes) &&
                   (earlier.item != now.item ||
                    (earlier.phase == now.phase && earlier.lane != now.lane));
        touches[k].push_back(now);
      }
      shadow.begin_lane(now.lane);
      shadow.access(memory + first + at, static_cast<std::size_t>(bytes),
                    static_cast<std::size_t>(bytes),
                    now.writes ? RaceAccess::write : RaceAccess::read);
      ASSERT_EQ(!shadow.conflicts().empty(), clash) << "seed " << seed << " step " << step;
    }
    n_clash += clash ? 1 : 0;
  }
  EXPECT_GT(n_clash, 1000);
}

TEST(RaceShadow, FindsTheSameAfterItsClockStartsAnew) {
  RaceShadow shadow;
  shadow.throw_on_conflict = false;
  shadow.last_clock = 5;
  std::int32_t word = 0;
  const auto touch = [&](int lane, RaceAccess kind) {
    shadow.begin_lane(lane);
    shadow.access(&word, sizeof word, alignof(std::int32_t), kind);
  };
  RaceBlock block;
  for (std::size_t launch = 1; launch <= 10; ++launch) {
    SCOPED_TRACE(launch);
    block.phase = 0;
    shadow.begin_launch("clock");
    shadow.begin_item(&block);
    shadow.begin_phase(block);
    touch(0, RaceAccess::write);
    touch(0, RaceAccess::read);
    block.phase = 1;
    shadow.begin_phase(block);
    touch(1, RaceAccess::read);
    EXPECT_THAT(shadow.conflicts(), SizeIs(launch - 1));
    touch(2, RaceAccess::write);
    ASSERT_THAT(shadow.conflicts(), SizeIs(launch));
    EXPECT_EQ(shadow.conflicts().back().first.lane, 1);
    EXPECT_EQ(shadow.conflicts().back().second.lane, 2);
  }
}

TEST(RaceShadow, SharedStartsAnewForEveryItem) {
  const auto body = [](int phase, int item, int lane, auto& shared, auto memory) {
    if (phase == 0 && item == 0) memory.write(&shared.word[lane], 3);
    if (phase == 0) return;
    EXPECT_EQ(memory.read(&shared.word[lane]), item == 0 ? 3 : -1);
  };
  EXPECT_THAT(conflicts_of(2, body, {.n_block = 1, .throw_on_conflict = false}),
              ElementsAre(is_fault(RaceFault::uninitialised), is_fault(RaceFault::uninitialised)));
}

TEST(RaceShadow, SharedIsWrittenByteByByte) {
  const auto body = [](int phase, int, int lane, auto& shared, auto memory) {
    if (phase == 0 && lane == 0)
      for (int i = 0; i < 7; ++i) memory.write(&shared.byte[i], std::uint8_t{0});
    if (phase == 1 && lane == 0) memory.read(reinterpret_cast<const std::uint32_t*>(shared.byte));
    if (phase == 1 && lane == 1)
      memory.read(reinterpret_cast<const std::uint32_t*>(shared.byte + 4));
  };
  const auto found = conflicts_of(1, body);
  ASSERT_THAT(found, ElementsAre(is_fault(RaceFault::uninitialised)));
  EXPECT_EQ(found[0].place, "Shared + 7 B");
}

/// Item 0 looks at a flag that item 1 sets.
struct LooksAtAFlag {
  int* flag;

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {1, false}; }
  template <class Memory>
  bool enabled(int item, Memory memory) const {
    return item == 1 || memory.read(flag) != 0;
  }
  template <int phase, class Isa, class Memory>
  void run(int item, int, Shared&, Memory memory) const {
    if (item == 1) memory.write(flag, 1);
  }
};

TEST(RaceShadow, ReadsOfEnabledCount) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    int flag = 0;
    RaceDetector launcher({.seed = seed});
    launcher.name_region(&flag, sizeof flag, "flag");
    try {
      launcher.launch("looks_at_a_flag", LooksAtAFlag{&flag}, 2);
      ADD_FAILURE() << "no error";
    } catch (const RuntimeError& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("item 0 (enabled(), lane 0)"),
                                      HasSubstr("item 1 (phase 0, lane 0)"), HasSubstr("flag[0]")));
    }
  }
}

TEST(RaceShadow, NumberOfItemsMustNotChangeInItsLaunch) {
  int n_item = 1;
  const auto body = [&](int phase, int, int lane, auto&, auto memory) {
    if (phase == 0 && lane == 0) memory.write(&n_item, 0);
  };
  RaceDetector launcher(kCollect);
  launcher.launch("scripted", Scripted{body}, &n_item);
  ASSERT_THAT(launcher.conflicts(), ElementsAre(is_fault(RaceFault::item_race)));
  EXPECT_THAT(launcher.conflicts()[0].describe(), HasSubstr("the launch (its number of items)"));
}

TEST(RaceShadow, AccessOutOfBoundsIsNotMade) {
  std::vector<int> value(8, 5);
  const auto body = [&](int phase, int, int lane, auto& shared, auto memory) {
    if (phase != 0) return;
    if (lane == 0) {
      memory.write(&value[4], 1);
      memory.write(&value[3], 1);
    } else {
      EXPECT_EQ(memory.read(reinterpret_cast<const double*>(&shared.word[3])), 0);
    }
  };
  RaceOptions options = kCollect;
  options.strict_regions = true;
  RaceDetector launcher(options);
  launcher.name_region(value.data(), 4 * sizeof(int), "value");
  launcher.launch("scripted", Scripted{body}, 1);
  EXPECT_THAT(launcher.conflicts(),
              ElementsAre(is_fault(RaceFault::out_of_bounds), is_fault(RaceFault::out_of_bounds)));
  EXPECT_THAT(value, ElementsAre(5, 5, 5, 1, 5, 5, 5, 5));
}

TEST(RaceShadow, LaterArrayReplacesTheNamesItOverlaps) {
  int value[8] = {};
  const auto body = [&](int phase, int item, int lane, auto&, auto memory) {
    if (phase == 0 && lane == 0) memory.write(&value[item / 2 == 0 ? 1 : 6], 1);
  };
  RaceDetector launcher(kCollect);
  launcher.name_region(value, 4 * sizeof(int), "old");
  launcher.name_region(value + 4, 4 * sizeof(int), "second");
  launcher.name_region(value, 2 * sizeof(int), "first");
  launcher.launch("scripted", Scripted{body}, 4);
  std::vector<std::string> places;
  for (const RaceConflict& c : launcher.conflicts()) places.push_back(c.place);
  EXPECT_THAT(places, testing::UnorderedElementsAre("first[1]", "second[2]"));
}

TEST(RaceShadow, NodesAreTouchedWithTheirPadding) {
  alignas(32) float node[4 * kNodeStride] = {};
  const auto body = [&](int phase, int, int lane, auto&, auto memory) {
    const std::int32_t offset = 2 * kNodeStride;
    if (phase == 0) memory.template store_node<float>(node, lane, {1, 2, 3});
    if (phase == 1 && lane == 0) {
      EXPECT_EQ(memory.template load_node<float>(node, 1).z, 3);
      EXPECT_EQ(memory.template gather_node<float>(node, &offset).x, 0);
    }
    if (phase == 1 && lane == 1) memory.write(&node[1 * kNodeStride + 3], 0.0F);
  };
  EXPECT_THAT(conflicts_of(1, body), ElementsAre(is_fault(RaceFault::lane_race)));
  EXPECT_EQ(node[kNodeStride + 1], 2);
}

TEST(RaceShadow, NodesWithoutPaddingAndObjectsInPlaceAreWatched) {
  float node[2 * 3] = {};
  const auto body = [&](int phase, int, int lane, auto&, auto memory) {
    if (phase == 0 && lane == 0) memory.write(&node[5], 3.0F);
    if (phase == 1 && lane == 0) {
      EXPECT_EQ(memory.template load_unpadded_node<float>(node, 1).z, 3);
      EXPECT_EQ(memory.read_in_place(&node[2]), 0);
    }
    if (phase == 1 && lane == 1) {
      memory.write(&node[5], 3.0F);
      memory.write(&node[2], 0.0F);
    }
  };
  EXPECT_THAT(conflicts_of(1, body),
              ElementsAre(is_fault(RaceFault::lane_race), is_fault(RaceFault::lane_race)));
}

TEST(RaceShadow, NodesMustBeAligned) {
  alignas(32) float node[4 * kNodeStride] = {};
  const auto body = [&](int phase, int, int lane, auto&, auto memory) {
    if (phase == 0 && lane == 0) memory.template load_node<float>(node + 1, 0);
  };
  EXPECT_THAT(conflicts_of(1, body), ElementsAre(is_fault(RaceFault::misaligned)));
}

TEST(RaceShadow, CollectsABoundedNumberOfConflicts) {
  std::vector<int> value(1000);
  const auto body = [&](int phase, int, int, auto&, auto memory) {
    if (phase == 0)
      for (int& v : value) memory.write(&v, 1);
  };
  EXPECT_THAT(conflicts_of(1, body), SizeIs(RaceShadow::kMaxConflicts));
}

}  // namespace
}  // namespace nodia
