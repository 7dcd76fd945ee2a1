/// A batch of environments through every launcher. A Batch is made with its number of environments
/// and has launch(launcher), name_regions(&race_detector) and expect_bits_of_each_alone().
#pragma once

#include <gtest/gtest.h>

#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/cpu/isa.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/launchers.hpp"

namespace nodia::test {

/// One lane, and every instruction set with one thread and three.
template <class Batch>
void expect_bits_of_each_alone_on_the_cpu(int n_env) {
  Batch one_lane(n_env);
  one_lane.launch(OneLaneLauncher());
  one_lane.expect_bits_of_each_alone();
  for (const CpuIsa isa : available_isas())
    for (const int n_thread : {1, 3}) {
      Batch batch(n_env);
      batch.launch(CpuLauncher(isa, n_thread));
      batch.expect_bits_of_each_alone();
    }
}

/// The race detector, which sees races and accesses out of the named regions.
template <class Batch>
void expect_bits_of_each_alone_without_races(int n_env) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    Batch batch(n_env);
    RaceOptions options;
    options.seed = seed;
    options.strict_regions = true;
    RaceDetector launcher(options);
    batch.name_regions(&launcher);
    batch.launch(launcher);
    EXPECT_TRUE(launcher.conflicts().empty());
    batch.expect_bits_of_each_alone();
  }
}

}  // namespace nodia::test
