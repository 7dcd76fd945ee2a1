#include "scenarios/build/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>

#include "host/solvers/catalogue.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "kernels/core/number.hpp"
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
               similar_name_hint(options.solver, names));
}

/// Seed, episode and attempt of the file. Absent if the file has no seed.
/// @throws InputError if an episode has no seed, or if there are several environments
std::optional<DrawSeed> draw_seed_of(const YamlNode& root, const ScenarioDocument& document) {
  if (document.episode || document.attempt) {
    const std::string key = document.episode ? "episode" : "attempt";
    const YamlNode& node = nearest_node(root, key);
    if (document.environments > 1)
      refuse_value(node, key, "left out where there are several environments",
                   "environment e draws with seed + e; run episodes one by one");
    if (!document.seed) refuse_value(node, key, "beside a seed", "give --seed, or the key seed");
  }
  if (!document.seed) return std::nullopt;
  return DrawSeed(*document.seed, document.episode.value_or(0),
                  static_cast<std::uint32_t>(document.attempt.value_or(0)));
}

/// Sets the keys `seed`, `episode` and `attempt` such that the document samples the same values.
void put_draw_seed(const std::optional<DrawSeed>& draw, ScenarioDocument* document) {
  document->seed.reset();
  document->episode.reset();
  document->attempt.reset();
  if (!draw) return;
  document->seed = draw->seed;
  if (draw->episode != 0 || draw->attempt != 0) document->episode = draw->episode;
  if (draw->attempt != 0) document->attempt = static_cast<int>(draw->attempt);
}

/// A scenario file with its overrides, before values are sampled.
struct Prepared {
  YamlNode root;
  ScenarioDocument document;
  std::optional<DrawSeed> draw;  ///< seed, episode and attempt of the file
};

Prepared prepare(YamlNode tree, const std::vector<std::string>& overrides) {
  Prepared prepared{std::move(tree), {}, {}};
  YamlNode& root = prepared.root;
  // Overrides name keys of the file, so the file must be valid without them.
  read_document(root);
  std::vector<std::string> set;
  for (const std::string& argument : overrides)
    set.push_back(apply_override(&root, scenario_keys(), argument));
  ScenarioDocument complete = read_document(root);
  complete_document(root, &complete);
  require_good_rules(root);
  remove_set_rules(&root, set);
  prepared.document = read_document(root);
  complete_document(root, &prepared.document);
  prepared.document.randomize = with_absolute_paths(root);
  prepared.draw = draw_seed_of(root, prepared.document);
  return prepared;
}

/// One environment, from a tree with sampled values.
/// @param draw  sampled the values; absent if none are sampled
Scenario environment_from(const YamlNode& root, ScenarioDocument document,
                          const std::optional<DrawSeed>& draw, SceneFiles* files) {
  Scenario scenario;
  put_draw_seed(draw, &document);
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
  scenario.drawn_by = draw.value_or(DrawSeed());
  scenario.resolved_yaml = written(document);
  return scenario;
}

/// Samples the values of one environment and builds it. If an InputError names a sampled key, its
/// message shows the sample.
Scenario environment_of(const Prepared& prepared, const std::optional<DrawSeed>& draw,
                        SceneFiles* files) {
  if (!draw) return environment_from(prepared.root, prepared.document, draw, files);
  YamlNode root = prepared.root;
  std::vector<DrawnValue> drawn = draw_values(&root, *draw);
  try {
    ScenarioDocument document = read_document(root);
    complete_document(root, &document);
    Scenario scenario = environment_from(root, std::move(document), draw, files);
    scenario.drawn = std::move(drawn);
    return scenario;
  } catch (const InputError& error) {
    const std::string text = error.what();
    for (const DrawnValue& value : drawn)
      if (text.find(value.key) != std::string::npos)
        throw InputError(
            fmt::format("{}; {} drew {} = {}", text, shown(*draw), value.key, shown(value.value)));
    throw;
  }
}

/// Seed, episode and attempt of environment 0. A batch without a seed uses seed 0, such that its
/// environments differ.
std::optional<DrawSeed> first_draw(const Prepared& prepared, std::optional<DrawSeed> draw) {
  if (!draw) draw = prepared.draw;
  if (!draw && prepared.document.environments > 1) draw = DrawSeed(0);
  return draw;
}

/// The only key of a task that may differ between environments and episodes.
constexpr const char* kDelay = "task.delay_steps";

/// Rejects rules of `randomize` for keys that must have the same value everywhere.
/// @param groups  groups of these keys
/// @param where   for the message, such as `environment of a batch`
void require_shared_values(const Prepared& prepared, const std::vector<std::string>& groups,
                           const char* where) {
  for (const DrawRule& rule : prepared.document.randomize)
    for (const std::string& group : groups)
      if (within(rule.key, group) && rule.key != kDelay)
        refuse_rule(
            prepared.root, rule.key,
            fmt::format("must be the same in every {}; take the range out, or set a value", where));
}

/// Every sampled delay must be shorter than the episode. Not checked if keys of `time` are sampled.
void require_delays_within_episodes(const Prepared& prepared) {
  bool drawn = false;
  for (const DrawRule& rule : prepared.document.randomize) {
    if (within(rule.key, "time")) return;
    drawn = drawn || rule.key == kDelay;
  }
  if (!drawn) return;
  Scene scene;
  scene.time = prepared.document.time;
  const int n_action = actions_per_episode(*prepared.document.task, scene);
  for (const YamlNode& value : extremes_of_rule(prepared.root, kDelay))
    if (!(parse_real(value.text).value_or(0) < n_action))
      refuse_rule(prepared.root, kDelay,
                  fmt::format("must draw less than the episode's {} control steps; it may draw {}",
                              n_action, shown(value)));
}

/// Environment e uses seed + e and episode 0.
/// @param first  seed, episode and attempt of environment 0
/// @throws InputError if it is another episode, or if a seed exceeds 64 bits
void require_seeds(const DrawSeed& first, int n_env) {
  if (first != DrawSeed(first.seed))
    throw_bad_value("episode", std::to_string(first.episode),
                    "left out where there are several environments",
                    "environment e draws with seed + e; run episodes one by one");
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() - (n_env - 1u);
  if (first.seed > most)
    throw_bad_value("seed", std::to_string(first.seed), fmt::format("at most {}", most),
                    fmt::format("environment e of {} draws with seed + e", n_env));
}

/// Numbers of the environments with a trajectory, in ascending order.
/// @param text  all, none, or numbers with commas
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
std::optional<DrawSeed> ScenarioSource::draw_seed() const {
  return impl_->prepared.draw;
}
bool ScenarioSource::draws() const {
  return !impl_->prepared.document.randomize.empty();
}

ScenarioDocument ScenarioSource::document() const {
  return impl_->prepared.document;
}

void ScenarioSource::require_one_task() const {
  require_shared_values(impl_->prepared, {"task"}, "episode of a dataset");
  require_delays_within_episodes(impl_->prepared);
}

void ScenarioSource::refuse_rule(const std::string& key, const std::string& why) const {
  nodia::refuse_rule(impl_->prepared.root, key, why);
}

Scenario ScenarioSource::nominal() {
  return environment_of(impl_->prepared, std::nullopt, &impl_->files);
}

Scenario ScenarioSource::scenario(std::optional<DrawSeed> draw) {
  return environment_of(impl_->prepared, first_draw(impl_->prepared, draw), &impl_->files);
}

Scenario load_scenario(const std::string& path, const std::vector<std::string>& overrides,
                       std::optional<DrawSeed> draw) {
  return ScenarioSource(read_yaml_file(path), overrides).scenario(draw);
}

Batch load_batch(const std::string& path, const std::vector<std::string>& overrides,
                 std::optional<DrawSeed> draw) {
  const Prepared prepared = prepare(read_yaml_file(path), overrides);
  const int n_env = prepared.document.environments;
  draw = first_draw(prepared, draw);
  Batch batch;
  batch.seed = draw.value_or(DrawSeed()).seed;
  batch.recorded =
      recorded_environments(prepared.root, prepared.document.output.record_envs, n_env);
  if (n_env > 1) {
    require_shared_values(prepared, {"time", "solver", "task", "output"}, "environment of a batch");
    require_seeds(*draw, n_env);
  }
  SceneFiles files;
  for (int e = 0; e < n_env; ++e) {
    std::optional<DrawSeed> own = draw;
    if (own) own->seed += static_cast<std::uint64_t>(e);
    batch.environments.push_back(environment_of(prepared, own, &files));
  }
  std::set<std::string> told;
  for (const Scenario& environment : batch.environments)
    for (const ScenarioWarning& warning : environment.warnings)
      if (told.insert(warning.about).second) batch.warnings.push_back(warning);
  if (n_env == 1) {
    batch.resolved_yaml = batch.environments.front().resolved_yaml;
  } else {
    ScenarioDocument document = prepared.document;
    put_draw_seed(draw, &document);
    batch.resolved_yaml = written(std::move(document));
  }
  return batch;
}

}  // namespace nodia
