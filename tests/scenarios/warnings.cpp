#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenarios/scenario_files.hpp"

namespace nodia {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> warnings(const std::string& objects,
                                  const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> texts;
  const test::ScenarioFile file("name: w\n" + objects);
  for (const ScenarioWarning& warning : load_batch(file.path(), overrides).warnings)
    texts.push_back(warning.text);
  return texts;
}

constexpr const char* kBox =
    "rigid_bodies:\n  box: {shape: box, size_m: [0.1, 0.1, 0.1], friction: 0.1}\n"
    "obstacles:\n  floor: {shape: half_space}\n  wall: {shape: sphere, radius_m: 1}\n";

TEST(Warnings, NameAFrictionThatADefaultHides) {
  const auto told = warnings(kBox);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], AllOf(HasSubstr("rigid_bodies.box.friction = 0.1 has no effect at "
                                       "obstacles.floor and 1 more"),
                             HasSubstr("default there is 0.3")));
  EXPECT_THAT(warnings(kBox, {"rigid_bodies.box.friction=0.3"}), IsEmpty());
  EXPECT_THAT(warnings(kBox, {"obstacles.floor.friction=0.4", "obstacles.wall.friction=0.3"}),
              IsEmpty())
      << "both are set: the larger is what was asked for";
  EXPECT_THAT(warnings(kBox + std::string("friction_pairs:\n"
                                          "  - {body: box, obstacle: floor, friction: 0.1}\n"
                                          "  - {body: box, obstacle: wall, friction: 0.1}\n")),
              IsEmpty());
}

TEST(Warnings, OfADrawnFrictionAreToldOnceABatch) {
  const auto told = warnings(kBox + std::string("randomize:\n"
                                                "  rigid_bodies.box.friction: [0.1, 0.2]\n"),
                             {"environments=5"});
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr("rigid_bodies.box.friction = 0.1"));
}

TEST(Warnings, NameMountsFarFromWhatTheyHold) {
  const std::string cable =
      "cables:\n  rope: {points_m: [[0, 0, 1], [2, 0, 1]], links: 4}\nmounts:\n"
      "  front: {body: rope, at: front, position_m: [";
  EXPECT_THAT(warnings(cable + "2, 0, 1]}\n"), IsEmpty());
  EXPECT_THAT(warnings(cable + "20, 0, 1]}\n"), IsEmpty());
  const auto told = warnings(cable + "1e6, 0, 1]}\n");
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0],
              HasSubstr("mounts.front holds rope from 1e+06 m away, and rope is 2 m large"));
}

}  // namespace
}  // namespace nodia
