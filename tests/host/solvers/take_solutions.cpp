/// Answers of a batch without the padding of the loop's arrays, against those of the roles.
#include "kernels/vfpi/take_solutions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "host/solvers/cond/loop_problem.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/launchers.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/random_soft_model.hpp"

namespace nodia {
namespace {

constexpr int kEnv = 3, kNode = 300;  // more than a chunk

template <class Precision>
struct SolvedLoop {
  using Real = typename Precision::Real;

  ContactProblem p = random_problem({.seed = 3, .n_env = kEnv, .n_node = kNode});
  WarmStart cold;
  LoopProblem<Precision> problem{CommonOptions{}, CondOptions{}};
  std::vector<Vec3<Real>> solution;  ///< node by node
  std::vector<Real> taken;
  TakeSolutions<Precision> kernel;

  SolvedLoop() {
    problem.set(p, cold);
    test::FemRandom random(7);
    for (int e = 0; e < kEnv; ++e) {
      const VfpiEnvironment<Precision>& env = problem.environments()[e];
      env.control->solution = (e + 1) % 4;
      for (int i = 0; i < kNode; ++i) {
        solution.push_back(cast<Real>(random.vector(2)));
        store_state<Real>(env, env.node[env.control->solution],
                          problem.rows().local_row(e * kNode + i), solution.back(), DirectMemory{});
      }
    }
    taken.assign(3 * solution.size(), Real(-1));
    kernel.env = problem.environments().data();
    kernel.first_row = problem.problem().env_node_begin.data();
    kernel.n_chunk = item_count(kNode);
    kernel.v = taken.data();
  }

  template <class Launcher>
  void check(Launcher* launcher) {
    launcher->launch("take_solutions", kernel, kEnv * kernel.n_chunk);
    for (int e = 0; e < kEnv; ++e)
      for (int i = 0; i < kNode; ++i) {
        const Vec3<Real> expected = solution[e * kNode + i];
        const Real* own = taken.data() + 3 * (e * kNode + problem.rows().local_row(e * kNode + i));
        ASSERT_EQ(own[0], expected.x) << e << " " << i;
        ASSERT_EQ(own[1], expected.y) << e << " " << i;
        ASSERT_EQ(own[2], expected.z) << e << " " << i;
      }
  }
};

template <class Precision>
void check_solutions() {
  test::OneLaneLauncher one_lane;
  SolvedLoop<Precision>().check(&one_lane);
  SolvedLoop<Precision> watched;
  RaceDetector detector({.seed = 2, .n_block = 3, .strict_regions = true});
  const auto name = [&](const char* what, auto& array) {
    detector.name_region(array.data(), array.size() * sizeof(array[0]), what);
  };
  name("taken", watched.taken);
  name("control", watched.problem.arrays().control);
  for (auto& role : watched.problem.arrays().node) name("node", role);
  watched.check(&detector);
  EXPECT_TRUE(detector.conflicts().empty());
}

TEST(TakeSolutions, AreThoseOfTheRolesWithoutPadding) {
  check_solutions<DoublePrecision>();
  check_solutions<MixedPrecision>();
  check_solutions<FloatPrecision>();
}

}  // namespace
}  // namespace nodia
