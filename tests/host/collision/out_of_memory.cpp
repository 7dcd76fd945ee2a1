/// A search whose memory runs out throws, in whichever thread that was, and leaves the program
/// alive.
#include <gtest/gtest.h>

#include "tests/support/failing_memory.hpp"
#include "tests/support/soft_bodies.hpp"

#if !defined(__SANITIZE_ADDRESS__)  // the address sanitizer replaces operator new itself

namespace nodia::test {
namespace {

/// Soft boxes on each other, a box and a rod beside them: several tasks that find something.
ProximityScene crowded_scene(int n_thread) {
  ProximityScene scene;
  scene.n_thread = n_thread;
  const TetMesh box = mesh_box({0.1, 0.1, 0.1}, {2, 2, 2});
  for (const double height : {0.0, 0.102, 0.204}) scene.add_soft(box, moved_by({0, 0, height}));
  scene.add_shape({ShapeKind::box, {0.1, 0.1, 0.1}, 0, 0, {}}, {{-0.052, 0.05, 0.05}, {}});
  scene.add_rod({{0.105, 0, 0.05}, {0.105, 0.05, 0.05}, {0.105, 0.1, 0.05}}, 4e-3);
  return scene;
}

TEST(OutOfMemory, ASearchThrowsWhereverMemoryEnds) {
  for (const int n_thread : {1, 2}) {
    const std::size_t n_pair = crowded_scene(n_thread).find().size();
    ASSERT_GT(n_pair, 30u);
    int n_thrown = 0;
    for (long n_good = 0, ends = 0; ends == 0; ++n_good) {
      ProximityScene scene = crowded_scene(n_thread);
      const ProximityState state = scene.state();
      std::vector<SurfacePair> pairs;
      const FailingMemory memory(n_good);
      try {
        scene.search.find(state, scene.margin, scene.step, n_thread, &pairs);
        EXPECT_EQ(pairs.size(), n_pair);
        ends = memory.has_failed() ? 0 : 1;
      } catch (const std::bad_alloc&) {
        ++n_thrown;
        // The next search finds everything.
        scene.search.find(state, scene.margin, scene.step, n_thread, &pairs);
        EXPECT_EQ(pairs.size(), n_pair);
      }
    }
    EXPECT_GT(n_thrown, 20);
  }
}

}  // namespace
}  // namespace nodia::test

#endif
