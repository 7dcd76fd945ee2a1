/// Measures the host's cost of a step of a batch that a device solves. The device is the checked
/// host backend with all kernels skipped. Prints one line per batch.
///
///   batch_step box|NAME SIZES STEPS THREADS ITERATIONS
///
///   batch_step box 100,1000,10000,16384 20 1 40
///
/// `box` is a soft cube of 27 nodes that falls on a floor, NAME the name of a scenario file; SIZES
/// are numbers of environments, separated by commas; ITERATIONS is the limit per solve. After six
/// other steps, STEPS steps are measured with the stepper that simulations use on a device. Per
/// environment and step: total host time [us], the time of the environments before the solver
/// (`dynamics`, summed over threads), and calls of operator new. Per environment: resident memory
/// of the batch [kB], half of it for the backend. `copies` between host and device, and `device`
/// (work of the device itself), are in no other column.
#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "host/base/threads.hpp"
#include "host/simulation/device_stepper.hpp"
#include "host/solvers/execution.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"
#include "scenarios/build/scenario.hpp"
#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/support/counted_memory.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

constexpr int kLeadSteps = 6;

std::vector<Scene> boxes(int n_env) {
  std::vector<Scene> scenes;
  for (int e = 0; e < n_env; ++e) {
    scenes.push_back(test::box_scene({0.1, 0.1, 0.1}, {2, 2, 2}, {0, 0, 1e-3 * (e % 7)}));
    scenes.back().gravity_m_s2 = {0, 0, -9.81};
    scenes.back().obstacles.push_back(test::floor_obstacle(0.3));
  }
  return scenes;
}

std::vector<Scene> of_scenario(const std::string& name, int n_env) {
  std::vector<Scene> scenes;
  const std::string file = test::source_file(fmt::format("scenarios/{0}/{0}.yaml", name));
  const std::string n = fmt::format("environments={}", n_env);
  for (Scenario& one : load_batch(file, {n}).environments) scenes.push_back(std::move(one.scene));
  return scenes;
}

double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

struct Cost {
  double host_s = 0, dynamics_s = 0, copy_s = 0, device_s = 0;
  long n_new = 0;
};

class Stepping {
 public:
  Stepping(std::vector<Scene> scenes, const SolverOptions& options)
      : envs_(scenes.size()), records_(scenes.size()), stepped_(scenes.size()) {
    for_each_environment(static_cast<int>(envs_.size()), options.execution.threads, [&](int e) {
      envs_[e] = std::make_unique<Environment>(std::move(scenes[e]), &topologies_);
    });
    stepper_.emplace(options, &envs_);
  }

  void step(Cost* cost) {
    const long n_before = test::n_new;
    const double own_s = checked_host().own_s, copy_s = checked_host().copy_s;
    const Stopwatch watch;
    stepper_->step({}, &records_, &stepped_);
    const double all_s = watch.seconds();
    const double device_s = checked_host().own_s - own_s, copies_s = checked_host().copy_s - copy_s;
    cost->host_s += all_s - device_s - copies_s;
    cost->device_s += device_s;
    cost->copy_s += copies_s;
    for (const StepRecord& record : records_) cost->dynamics_s += 1e-3 * record.dynamics_ms;
    cost->n_new += test::n_new - n_before;
  }
  const std::vector<StepRecord>& records() const { return records_; }

 private:
  TopologyPool topologies_;
  Environments envs_;
  std::optional<DeviceStepper> stepper_;
  std::vector<StepRecord> records_;
  std::vector<char> stepped_;
};

void measure(const std::string& name, int n_env, int n_step, int threads, int iterations) {
  omp_set_num_threads(threads);  // for code that sets no number of threads
  SolverOptions options;
  options.solver = "cond";
  options.execution.threads = threads;
  options.max_iterations = iterations;
  options.execution.backend = Backend::cuda;
  const double before_bytes = resident_bytes();
  std::vector<Scene> scenes = name == "box" ? boxes(n_env) : of_scenario(name, n_env);
  std::optional<Stepping> stepping;
  stepping.emplace(std::move(scenes), options);
  Cost lead, cost;
  for (int k = 0; k < kLeadSteps; ++k) stepping->step(&lead);
  for (int k = 0; k < n_step; ++k) stepping->step(&cost);
  double n_contact = 0;
  for (const StepRecord& record : stepping->records()) n_contact += record.n_contact;
  const double n = static_cast<double>(n_env) * n_step, us = 1e6 / n;
  fmt::print("{:<12} {:>6} {:>2} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f}\n",
             name, n_env, threads, us * cost.host_s, us * cost.dynamics_s, us * cost.copy_s,
             us * cost.device_s, static_cast<double>(cost.n_new) / n, n_contact / n_env,
             (resident_bytes() - before_bytes) / n_env / 1e3);
  std::fflush(stdout);
}

int run(const std::vector<std::string>& words) {
  if (words.size() != 5)
    throw InputError("batch_step box|NAME SIZES STEPS THREADS ITERATIONS (five words)");
  fmt::print("{:<12} {:>6} {:>2} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "scene", "envs",
             "th", "host us", "dynamics", "copies", "device", "new", "contacts", "kB");
  // The limit is the memory of a device, because large batches allocate it in one piece.
  checked_host().largest_allocation = std::size_t{64} << 30;
  std::size_t at = 0;
  while (at <= words[1].size()) {
    const std::size_t end = std::min(words[1].find(',', at), words[1].size());
    measure(words[0], std::stoi(words[1].substr(at, end - at)), std::stoi(words[2]),
            std::stoi(words[3]), std::stoi(words[4]));
    at = end + 1;
  }
  return 0;
}

}  // namespace
}  // namespace nodia

int main(int argc, char** argv) {
  try {
    return nodia::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
