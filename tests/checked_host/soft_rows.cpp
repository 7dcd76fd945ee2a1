/// Tests device data of soft bodies while environments start and stop: the bits of the other
/// environments equal the CPU's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "kernels/core/error.hpp"
#include "tests/checked_host/both_backends.hpp"
#include "tests/devices/checked_host/checked_host.hpp"

namespace nodia {
namespace {

using test::BothBackends;
using test::soft_mats;

class DeviceSoftRowsIn : public testing::TestWithParam<Precision> {};

INSTANTIATE_TEST_SUITE_P(Precisions, DeviceSoftRowsIn,
                         testing::Values(Precision::double_, Precision::mixed, Precision::float_),
                         [](const auto& one) { return name_of(one.param); });

/// With 9 environments, those that continue are not uploaded again with the one that restarts.
TEST_P(DeviceSoftRowsIn, AnEnvironmentThatFailedRestsAndTheOthersHaveTheCpusBits) {
  BothBackends pair(soft_mats(GetParam(), {"environments=9"}));
  pair.step(2);
  pair.both([](Simulation* s) {
    Pose nowhere = s->frame_target(1, "grip");
    nowhere.position.x = std::numeric_limits<double>::quiet_NaN();
    s->set_frame_target(1, "grip", nowhere, 0.1);
  });
  pair.step(3);
  EXPECT_TRUE(pair.device.failed(1));
  pair.both([](Simulation* s) { s->set_state(1, s->state(0)); });
  pair.step(2);
  EXPECT_FALSE(pair.device.failed(1));
}

TEST_P(DeviceSoftRowsIn, AnotherMaterialInAnEnvironmentsPlaceIsItsOwn) {
  BothBackends pair(soft_mats(GetParam(), {"environments=3"}));
  pair.step(2);
  Scene softer = pair.cpu.scene(2);
  softer.soft_bodies.front().material.youngs_modulus_Pa *= 0.5;
  softer.soft_bodies.front().material.density_kg_m3 *= 1.25;
  pair.both([&](Simulation* s) { s->reset(2, softer); });
  pair.step(2);
  pair.both([](Simulation* s) { s->reset(0, s->scene(1)); });
  pair.step(2);
}

TEST_P(DeviceSoftRowsIn, ExternalForcesAndAttachedNodesThatLetGoAreInBOrNot) {
  BothBackends pair(
      soft_mats(GetParam(), {"pushes={shove: {body: mat, force_N: [1, -2, 3], from_s: 0.02, "
                             "duration_s: 0.03}}"}));
  pair.step(4);
  pair.both([](Simulation* s) { s->set_holding(0, "grip", false); });
  pair.step(4);
  pair.both([](Simulation* s) { s->set_holding(0, "grip", true); });
  pair.step(2);
}

/// Kernels of a step outside the loop.
TEST(DeviceSoftRows, FaultsAreNamedByTheCheckedLauncherAndToldHowToLearnTheirKernelByTheOthers) {
  const char* kernels[] = {"assemble_planes", "advance_nodes",
                           "start_roles",     "start_controls",
                           "free_residuals",  "flag_pairs",
                           "evaluate_nodes",  "contact_totals_of_nodes",
                           "chunk_depths",    "attachment_sums_of_chunks",
                           "end_of_nodes"};
  for (const LoopLauncher launcher :
       {LoopLauncher::graph, LoopLauncher::launches, LoopLauncher::checked})
    for (const char* kernel : kernels) {
      SCOPED_TRACE(kernel);
      test::ScenarioBatch mat = soft_mats(Precision::double_, {});
      mat.options.execution.loop = launcher;
      BothBackends pair(mat);
      pair.step(2);
      checked_host().faulty_kernel = kernel;
      std::string error = "no error";
      try {
        pair.device.step();
      } catch (const RuntimeError& thrown) {
        error = thrown.what();
      }
      checked_host().faulty_kernel.clear();
      if (launcher == LoopLauncher::checked)
        EXPECT_THAT(error, testing::StartsWith(kernel));
      else
        EXPECT_THAT(error, testing::AllOf(testing::StartsWith("V-FPI loop"),
                                          testing::HasSubstr("run again with --loop checked")));
    }
}

}  // namespace
}  // namespace nodia
