/// Runs a scenario on the CPU and on the checked host backend step by step and compares the bits.
/// Names of all tests in this folder contain `Device`, by which tests/CMakeLists.txt selects them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "host/simulation/simulation.hpp"
#include "host/solvers/execution.hpp"
#include "scenarios/build/scenario.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/source_file.hpp"

namespace nodia::test {

/// Environments of a scenario file, with COND.
struct ScenarioBatch {
  Batch batch;
  SolverOptions options;

  ScenarioBatch(const std::string& file, Precision precision, std::vector<std::string> overrides) {
    overrides.insert(overrides.begin(), {"solver.solver=cond", "solver.max_iterations=60"});
    batch = load_batch(source_file(file), overrides);
    options = batch.environments.front().solver;
    options.execution.threads = 1;
    options.execution.precision = precision;
  }
  Simulation on(Backend backend) const {
    std::vector<Scene> scenes;
    for (const Scenario& s : batch.environments) scenes.push_back(s.scene);
    SolverOptions own = options;
    own.execution.backend = backend;
    return {std::move(scenes), own};
  }
};

/// Environments of scenarios/soft_mat.
inline ScenarioBatch soft_mats(Precision precision, std::vector<std::string> overrides) {
  return {"scenarios/soft_mat/soft_mat.yaml", precision, std::move(overrides)};
}

/// Numbers of a record, except times.
inline std::vector<double> numbers_of(const StepRecord& r) {
  std::vector<double> all{r.time_s,
                          static_cast<double>(r.n_contact),
                          static_cast<double>(r.n_stick),
                          static_cast<double>(r.n_slip),
                          static_cast<double>(r.solve.status),
                          static_cast<double>(r.solve.iterations),
                          r.solve.relative_residual,
                          r.solve.natural_map_error,
                          r.solve.certificate_J,
                          r.solve.error_estimate,
                          r.solve.work_units,
                          r.max_penetration_m,
                          r.kinetic_energy_J,
                          r.potential_energy_J,
                          r.frame_work_J,
                          r.push_work_J};
  for (const Vec3d& force : {r.obstacle_force_N, r.attachment_force_N})
    for (int axis = 0; axis < 3; ++axis) all.push_back(force[axis]);
  for (const Wrench& sensor : r.sensors)
    for (const Vec3d& part : {sensor.force_N, sensor.torque_Nm})
      all.insert(all.end(), {part.x, part.y, part.z});
  return all;
}

class BothBackends {
 public:
  explicit BothBackends(const ScenarioBatch& batch)
      : cpu(batch.on(Backend::cpu)), device(batch.on(Backend::cuda)) {}

  /// Compares the records of n steps without reading states.
  void step_records(int n) {
    for (int k = 0; k < n && !testing::Test::HasFailure(); ++k) {
      const std::vector<StepRecord> of_cpu = cpu.step(), of_device = device.step();
      ASSERT_EQ(of_cpu.size(), of_device.size());
      n_on_device += std::count_if(of_device.begin(), of_device.end(),
                                   [](const StepRecord& r) { return r.on_device; });
      for (std::size_t r = 0; r < of_cpu.size(); ++r) {
        EXPECT_TRUE(same_bits(numbers_of(of_cpu[r]), numbers_of(of_device[r])))
            << "record of environment " << of_cpu[r].env << " in step " << of_cpu[r].step << ": "
            << testing::PrintToString(numbers_of(of_cpu[r])) << " and "
            << testing::PrintToString(numbers_of(of_device[r]));
        EXPECT_EQ(of_cpu[r].solve.reason, of_device[r].solve.reason);
        EXPECT_FALSE(of_cpu[r].on_device);
        most_contacts = std::max(most_contacts, of_cpu[r].n_contact);
      }
    }
  }
  /// Compares records and states of n steps.
  void step(int n) {
    for (int k = 0; k < n && !testing::Test::HasFailure(); ++k) {
      step_records(1);
      for (int e = 0; e < cpu.n_env(); ++e) {
        SCOPED_TRACE(testing::Message() << "environment " << e);
        EXPECT_EQ(cpu.failed(e), device.failed(e));
        EXPECT_EQ(count_different(cpu.state(e).x, device.state(e).x), 0);
        EXPECT_EQ(count_different(cpu.state(e).v, device.state(e).v), 0);
      }
    }
  }
  template <class Change>
  void both(const Change& change) {
    change(&cpu);
    change(&device);
  }

  Simulation cpu, device;
  int most_contacts = 0;           ///< maximum over environments and steps so far
  std::ptrdiff_t n_on_device = 0;  ///< records of steps that ran entirely on the device, so far
};

}  // namespace nodia::test
