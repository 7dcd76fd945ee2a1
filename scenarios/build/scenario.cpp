#include "scenarios/build/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "host/solvers/catalogue.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "scenarios/build/build_scene.hpp"
#include "scenarios/format/overrides.hpp"
#include "scenarios/format/yaml_path.hpp"

namespace nodia {
namespace {

void require_known_solver(const YamlNode& root, const SolverOptions& options) {
  const std::vector<std::string> names = method_names();
  if (std::find(names.begin(), names.end(), options.solver) != names.end()) return;
  refuse_value(nearest_node(root, "solver.solver"), "solver.solver",
               fmt::format("one of {}", fmt::join(names, ", ")),
               fmt::format("did you mean {}?", nearest_name(options.solver, names)));
}

/// A file with its overrides, before anything is drawn.
struct Prepared {
  YamlNode root;
  ScenarioDocument document;
};

Prepared prepare(YamlNode tree, const std::vector<std::string>& overrides) {
  Prepared prepared{std::move(tree), {}};
  YamlNode& root = prepared.root;
  // Overrides name keys of what the file says, so the file must be good by itself.
  read_document(root);
  std::vector<std::string> set;
  for (const std::string& argument : overrides)
    set.push_back(apply_override(&root, scenario_keys(), argument));
  ScenarioDocument complete = read_document(root);
  complete_document(root, &complete);
  require_good_ranges(root);
  remove_set_ranges(&root, set);
  prepared.document = read_document(root);
  complete_document(root, &prepared.document);
  return prepared;
}

/// One environment of a tree whose values `seed` has drawn.
Scenario environment_from(const YamlNode& root, ScenarioDocument document,
                          std::optional<std::uint64_t> seed, SceneFiles* files) {
  Scenario scenario;
  document.seed = seed;
  document.environments = 1;
  document.output.record_envs = OutputOptions{}.record_envs;
  require_known_solver(root, document.solver);

  BuiltScene built = build_scene(root, document, files);
  scenario.warnings = warnings_of(root, document, built, *files);
  scenario.scene = std::move(built.scene);
  scenario.solver = document.solver;
  scenario.checks = document.checks;
  scenario.task = document.task;
  scenario.output = document.output;
  scenario.description = document.description;
  scenario.seed = seed.value_or(0);
  scenario.resolved_yaml = written(document);
  return scenario;
}

/// One environment; `seed` draws its values. An error about a drawn value names the seed.
Scenario environment_of(const Prepared& prepared, std::optional<std::uint64_t> seed,
                        SceneFiles* files) {
  if (!seed) return environment_from(prepared.root, prepared.document, seed, files);
  YamlNode root = prepared.root;
  std::vector<DrawnValue> drawn = draw_values(&root, *seed);
  try {
    ScenarioDocument document = read_document(root);
    complete_document(root, &document);
    Scenario scenario = environment_from(root, std::move(document), seed, files);
    scenario.drawn = std::move(drawn);
    return scenario;
  } catch (const InputError& error) {
    const std::string text = error.what();
    for (const DrawnValue& value : drawn)
      if (text.find(value.key) != std::string::npos)
        throw InputError(
            fmt::format("{}; seed {} drew {} = {:.6g}", text, *seed, value.key, value.value));
    throw;
  }
}

/// The seed of environment 0. A batch without one has the seed 0, so that its environments differ.
std::optional<std::uint64_t> first_seed(const ScenarioDocument& document,
                                        std::optional<std::uint64_t> seed) {
  if (!seed) seed = document.seed;
  if (!seed && document.environments > 1) seed = 0;
  return seed;
}

/// What every environment of a batch has in common cannot be drawn.
void require_shared_values(const YamlNode& root, const ScenarioDocument& document) {
  for (const RandomRange& range : document.randomize) {
    const std::string group = range.key.substr(0, range.key.find('.'));
    for (const char* shared :
         {"time", "solver", "task", "output", "seed", "environments", "format_version"}) {
      if (group != shared) continue;
      throw InputError(
          fmt::format("{}: randomize.{} (must be the same in every environment of a batch; take "
                      "the range out, or set a value)",
                      location(*root.find("randomize")->find(range.key)), range.key));
    }
  }
}

/// Ascending, each once. @param text  all, none, or numbers with commas
std::vector<int> recorded_environments(const YamlNode& root, const std::string& text, int n_env) {
  const auto refuse = [&](const std::string& word) {
    throw_bad_value(
        fmt::format("{}: output.record_envs", location(nearest_node(root, "output.record_envs"))),
        word, fmt::format("all, none, or numbers in [0, {}] with commas", n_env - 1),
        "e.g. 0,3,17");
  };
  std::vector<int> recorded;
  if (text == "none") return recorded;
  if (text == "all") {
    for (int e = 0; e < n_env; ++e) recorded.push_back(e);
    return recorded;
  }
  for (const char* word = text.data();; ++word) {
    int env = -1;
    const auto [end, error] = std::from_chars(word, text.data() + text.size(), env);
    const bool last = end == text.data() + text.size();
    if (error != std::errc() || env < 0 || env >= n_env || (!last && *end != ',')) refuse(text);
    recorded.push_back(env);
    if (last) break;
    word = end;
  }
  std::sort(recorded.begin(), recorded.end());
  recorded.erase(std::unique(recorded.begin(), recorded.end()), recorded.end());
  return recorded;
}

}  // namespace

struct ScenarioSource::Impl {
  Prepared prepared;
  SceneFiles files;
};

ScenarioSource::ScenarioSource(YamlNode tree, const std::vector<std::string>& overrides)
    : impl_(std::make_unique<Impl>(Impl{prepare(std::move(tree), overrides), {}})) {}
ScenarioSource::~ScenarioSource() = default;

int ScenarioSource::environments() const {
  return impl_->prepared.document.environments;
}
std::optional<std::uint64_t> ScenarioSource::seed() const {
  return impl_->prepared.document.seed;
}
bool ScenarioSource::draws() const {
  return !impl_->prepared.document.randomize.empty();
}

Scenario ScenarioSource::scenario(std::optional<std::uint64_t> seed) {
  return environment_of(impl_->prepared, first_seed(impl_->prepared.document, seed), &impl_->files);
}

Scenario load_scenario(const std::string& path, const std::vector<std::string>& overrides,
                       std::optional<std::uint64_t> seed) {
  return ScenarioSource(read_yaml_file(path), overrides).scenario(seed);
}

Batch load_batch(const std::string& path, const std::vector<std::string>& overrides,
                 std::optional<std::uint64_t> seed) {
  const Prepared prepared = prepare(read_yaml_file(path), overrides);
  ScenarioDocument document = prepared.document;
  const int n_env = document.environments;
  document.seed = first_seed(document, seed);
  Batch batch;
  batch.seed = document.seed.value_or(0);
  batch.recorded = recorded_environments(prepared.root, document.output.record_envs, n_env);
  if (n_env > 1) {
    require_shared_values(prepared.root, document);
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() - (n_env - 1u);
    if (batch.seed > most)
      throw_bad_value("seed", std::to_string(batch.seed), fmt::format("at most {}", most),
                      fmt::format("environment e of {} draws with seed + e", n_env));
  }
  SceneFiles files;
  for (int e = 0; e < n_env; ++e) {
    std::optional<std::uint64_t> own = document.seed;
    if (own) *own += static_cast<std::uint64_t>(e);
    batch.environments.push_back(environment_of(prepared, own, &files));
  }
  std::set<std::string> told;
  for (const Scenario& environment : batch.environments)
    for (const ScenarioWarning& warning : environment.warnings)
      if (told.insert(warning.about).second) batch.warnings.push_back(warning);
  batch.resolved_yaml = n_env > 1 ? written(document) : batch.environments.front().resolved_yaml;
  return batch;
}

}  // namespace nodia
