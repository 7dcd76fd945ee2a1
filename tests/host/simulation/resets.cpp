/// Places of a batch that are used again and again keep nothing of who was there.
#include <gtest/gtest.h>
#include <malloc.h>

#include "host/solvers/solver_options.hpp"
#include "tests/support/random_scenes.hpp"

namespace nodia::test {
namespace {

/// Bytes that are in use.
std::size_t in_use() {
  return mallinfo2().uordblks + mallinfo2().hblkhd;
}

/// Bytes that `n` further resets leave behind, after some that make room.
double left_behind(const std::string& solver, int n) {
  SolverOptions options;
  options.solver = solver;
  options.execution.threads = 1;
  std::vector<Scene> scenes;
  for (unsigned k = 0; k < 5; ++k) scenes.push_back(random_scene(k));
  Simulation simulation({scenes[0], scenes[1], scenes[2]}, options);
  const auto reset = [&](int k) {
    simulation.reset(k % 3, scenes[static_cast<std::size_t>(k) % scenes.size()]);
    simulation.step();
  };
  constexpr int kPeriod = 15;  // of places and scenes
  for (int k = 0; k < 2 * kPeriod; ++k) reset(k);
  const std::size_t before = in_use();
  for (int k = 0; k < n / kPeriod * kPeriod; ++k) reset(k);
  return static_cast<double>(in_use()) - static_cast<double>(before);
}

TEST(Resets, LeaveNothingBehind) {
  for (const char* solver : {"auto", "cond", "pgs"})
    EXPECT_LT(left_behind(solver, 300), 2e5) << solver;
}

TEST(Resets, LeaveNothingBehindTenThousandTimes) {
  for (const char* solver : {"auto", "cond"}) EXPECT_LT(left_behind(solver, 10'000), 2e5) << solver;
}

}  // namespace
}  // namespace nodia::test
