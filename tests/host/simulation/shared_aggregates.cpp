/// The coarse levels of equal meshes are made once for all environments of a batch.
#include <gtest/gtest.h>

#include "host/problem/topology_pool.hpp"
#include "host/simulation/stepper.hpp"
#include "host/solvers/multigrid/aggregate_pool.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

Scene block_scene(int n_cell, double youngs_modulus_Pa) {
  Scene scene = box_scene({0.1, 0.1, 0.1}, {n_cell, n_cell, n_cell}, {0, 0, -1e-4});
  scene.gravity_m_s2 = {0, 0, -9.81};
  scene.soft_bodies[0].material.youngs_modulus_Pa = youngs_modulus_Pa;
  scene.obstacles.push_back(floor_obstacle(0.5));
  return scene;
}

/// After two steps of each of them in a batch.
struct Batch {
  TopologyPool topologies;
  std::shared_ptr<AggregatePool> aggregates = std::make_shared<AggregatePool>();
  Environments envs;
  std::unique_ptr<Stepper> stepper;

  Batch(const std::vector<Scene>& scenes, int threads) {
    for (const Scene& scene : scenes)
      envs.push_back(std::make_unique<Environment>(scene, &topologies));
    SolverOptions options;
    options.execution.threads = threads;
    stepper = make_stepper(options, &envs, aggregates);
    std::vector<StepRecord> records(envs.size());
    std::vector<char> stepped;
    stepper->step({.count = 2}, &records, &stepped);
    for (const StepRecord& record : records) {
      EXPECT_EQ(record.solve.status, SolveStatus::converged);
      EXPECT_GT(record.n_contact, 0);
    }
  }
  /// How many of its solvers hold the levels of an environment's topology.
  long n_holder(int env) const {
    const EnvironmentModel& model = envs[static_cast<std::size_t>(env)]->model();
    return aggregates->of(model.system.topology()).use_count() - 2;
  }
};

TEST(SharedAggregates, EqualMeshesHaveOneHoweverManyThreadsStep) {
  const std::vector<Scene> scenes{block_scene(4, 1e5), block_scene(3, 1e5), block_scene(4, 2e5),
                                  block_scene(4, 3e5)};
  for (const int threads : {1, 2, 4}) {
    SCOPED_TRACE(threads);
    const Batch batch(scenes, threads);
    EXPECT_EQ(batch.n_holder(0), 3);
    EXPECT_EQ(batch.n_holder(1), 1);
    for (std::size_t e = 0; e < scenes.size(); ++e) {
      const Batch alone({scenes[e]}, 1);
      EXPECT_EQ(alone.n_holder(0), 1);
      EXPECT_TRUE(same_bits(batch.envs[e]->state().x, alone.envs[0]->state().x));
      EXPECT_TRUE(same_bits(batch.envs[e]->state().v, alone.envs[0]->state().v));
    }
  }
}

}  // namespace
}  // namespace nodia::test
