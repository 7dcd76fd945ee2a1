/// Runs a scenario file to its end once, for all tests that need the run or a state of it.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <vector>

#include "host/io/checkpoint_file.hpp"
#include "host/scene/fingerprint.hpp"
#include "host/simulation/simulation.hpp"
#include "kernels/core/content_hash.hpp"
#include "kernels/core/error.hpp"
#include "scenarios/build/scenario.hpp"
#include "tests/support/chosen_states.hpp"
#include "tests/support/scenario_list.hpp"
#include "tests/support/source_file.hpp"

namespace nodia::test {

/// What tests need of the whole run of a scenario file with its own solver.
struct ScenarioRun {
  int n_step = 0, n_converged = 0;
  std::vector<std::string> checks;    ///< names of the checks with a result
  std::vector<std::string> failures;  ///< a line for each check that failed or was not reached
  std::vector<SavedState> states;     ///< StateChooser::states()
};

/// The scenario of the run: one thread, without checks against records that users have to supply.
inline Scenario scenario_of_run(const std::string& file) {
  Scenario scenario = load_scenario(source_file(file), {"solver.threads=1"});
  std::erase_if(scenario.checks, [](const CheckDescription& check) {
    const auto* record = std::get_if<ReferenceCsv>(&check.kind);
    return record && !record->reference;
  });
  return scenario;
}

inline ScenarioRun run_to_the_end(const Scenario& scenario) {
  const TimeOptions& time = scenario.scene.time;
  ScenarioRun run;
  run.n_step = static_cast<int>(std::ceil(time.duration_s / time.step_s * (1 - 1e-9)));
  ScenarioChecks checks(scenario.scene, scenario.checks);
  StateChooser chooser(run.n_step);
  Simulation simulation({scenario.scene}, scenario.solver);
  chooser.add(simulation.save(0));
  for (int k = 0; k < run.n_step; ++k) {
    simulation.step([&](const StepView& view) {
      checks.observe(view);
      chooser.observe(view.record);
      run.n_converged += view.record.solve.status == SolveStatus::converged ? 1 : 0;
    });
    chooser.add(simulation.save(0));
  }
  for (const CheckResult& result : checks.results()) {
    run.checks.push_back(result.name);
    if (!result.passed)
      run.failures.push_back(fmt::format("{} = {} {}, bound {}", result.name, result.value,
                                         result.unit, result.bound));
  }
  for (const std::string& name : checks.not_reached())
    run.failures.push_back(name + " is not reached");
  run.states = chooser.states();
  return run;
}

/// A file with a finished run, beside the test programs. The programs of one build share it: the
/// first test that needs the run writes it, in whichever program. A run is used again only if the
/// scenario is the same and the file is newer than the program. If the folder cannot be written,
/// every program makes its own run.
class SharedRun {
 public:
  SharedRun(const std::string& name, const Scenario& scenario) {
    namespace fs = std::filesystem;
    const fs::path program = fs::read_symlink("/proc/self/exe");
    const fs::path folder = program.parent_path() / "scenario_runs";
    std::error_code cannot_write;
    fs::create_directories(folder, cannot_write);
    program_ = program.string();
    path_ = (folder / (name + ".run")).string();
    ContentHash content;
    content.add(fingerprint(scenario.scene));
    content.add(named_from_root(scenario.resolved_yaml));
    content_ = content.value();
    descriptor_ = open((path_ + ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);  // another program may be making the run
  }
  ~SharedRun() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;

  bool read(ScenarioRun* run) {
    namespace fs = std::filesystem;
    std::error_code absent;
    const fs::file_time_type written = fs::last_write_time(path_, absent);
    if (absent || written <= fs::last_write_time(program_)) return false;
    try {
      const CheckpointFile file = read_checkpoint(path_);
      std::uint64_t content = 0;
      Archive a = Archive::reading(file.run);
      a("content", content);
      if (content != content_) return false;
      a("run", *run);
    } catch (const InputError&) {
      return false;  // of another build, or damaged
    }
    return true;
  }

  void write(ScenarioRun run) {
    if (descriptor_ < 0) return;
    CheckpointFile file;
    Archive a = Archive::writing(&file.run);
    a("content", content_);
    a("run", run);
    write_checkpoint(path_, file);
  }

 private:
  std::string program_, path_;
  std::uint64_t content_ = 0;
  int descriptor_ = -1;  ///< of the locked file; negative if it cannot be written
};

/// The run of a scenario file of test::scenario_files().
inline const ScenarioRun& run_of(const std::string& file) {
  static std::map<std::string, ScenarioRun> runs;
  if (const auto made = runs.find(file); made != runs.end()) return made->second;
  const Scenario scenario = scenario_of_run(file);
  SharedRun shared(scenario_name(file), scenario);
  ScenarioRun run;
  if (!shared.read(&run)) {
    run = run_to_the_end(scenario);
    shared.write(run);
  }
  return runs.emplace(file, std::move(run)).first->second;
}

}  // namespace nodia::test
