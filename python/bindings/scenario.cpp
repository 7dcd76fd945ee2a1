#include "scenarios/build/scenario.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <tuple>

#include "fem/mesh/read_vtk.hpp"
#include "kernels/core/time_step.hpp"
#include "python/bindings/bind.hpp"
#include "python/bindings/interruptible.hpp"
#include "scenarios/build/drawn_json.hpp"
#include "scenarios/build/memory_need.hpp"
#include "scenarios/build/policy_seed.hpp"

namespace nodia::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// Seed, episode, attempt.
using DrawNumbers = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>;

std::optional<DrawNumbers> numbers_of(const std::optional<DrawSeed>& draw) {
  if (!draw) return std::nullopt;
  return DrawNumbers(draw->seed, draw->episode, draw->attempt);
}

/// Source of episodes that share the data read from files. A mutex lets only one thread at a time
/// create an episode.
class Source : public std::enable_shared_from_this<Source> {
 public:
  Source(YamlNode tree, const std::vector<std::string>& overrides)
      : source_(std::move(tree), overrides) {}

  /// @param draw  replaces the seed, episode and attempt of the file
  std::shared_ptr<const Scenario> episode(const std::optional<DrawNumbers>& draw) {
    const std::lock_guard lock(mutex_);
    if (!draw) return std::make_shared<const Scenario>(source_.scenario());
    return std::make_shared<const Scenario>(
        source_.scenario(std::make_from_tuple<DrawSeed>(*draw)));
  }
  const ScenarioSource& operator*() const { return source_; }

 private:
  std::mutex mutex_;
  ScenarioSource source_;
};

std::shared_ptr<Source> from_file(const std::string& path,
                                  const std::vector<std::string>& overrides) {
  return std::make_shared<Source>(read_yaml_file(path), overrides);
}

/// @param label  name of the text in messages
std::shared_ptr<Source> from_text(const std::string& text, const std::string& label,
                                  const std::string& directory, bool has_lines,
                                  const std::vector<std::string>& overrides) {
  const auto source = std::make_shared<const YamlSource>(YamlSource{label, directory, has_lines});
  return std::make_shared<Source>(parse_yaml(text, source), overrides);
}

std::shared_ptr<const Scenario> make_episode(Source& source,
                                             const std::optional<DrawNumbers>& draw) {
  return make_interruptible(
      [source = source.shared_from_this(), draw] { return source->episode(draw); });
}

using Warning = std::pair<std::string, std::string>;

std::vector<Warning> warnings_of(const Scenario& scenario) {
  std::vector<Warning> warnings;
  for (const ScenarioWarning& w : scenario.warnings) warnings.emplace_back(w.about, w.text);
  return warnings;
}

}  // namespace

void bind_scenario(nb::module_& m) {
  nb::class_<Scenario>(m, "Episode")
      .def_prop_ro("name", [](const Scenario& s) { return s.scene.name; })
      .def_ro("description", &Scenario::description)
      .def_prop_ro("seed", [](const Scenario& s) { return s.drawn_by.seed; })
      .def_prop_ro("index", [](const Scenario& s) { return s.drawn_by.episode; })
      .def_prop_ro("attempt", [](const Scenario& s) { return s.drawn_by.attempt; })
      .def_prop_ro("policy_seed", policy_seed)
      .def_prop_ro("drawn_json", [](const Scenario& s) { return drawn_json(s.drawn); })
      .def_prop_ro("warnings", warnings_of)
      .def_ro("yaml", &Scenario::resolved_yaml)
      .def_prop_ro("step_s", [](const Scenario& s) { return s.scene.time.step_s; })
      .def_prop_ro("duration_s", [](const Scenario& s) { return s.scene.time.duration_s; });
  nb::class_<Source>(m, "Source")
      .def_prop_ro("environments", [](const Source& s) { return (*s).environments(); })
      .def_prop_ro("draw_seed", [](const Source& s) { return numbers_of((*s).draw_seed()); })
      .def_prop_ro("draws", [](const Source& s) { return (*s).draws(); })
      .def("episode", &make_episode, "draw"_a.none());
  m.def(
      "require_memory",
      [](const Scenario& like, int n_env) { require_memory(memory_need(like, n_env, 0)); },
      "like"_a, "n_env"_a);
  m.def("source_of_file", &from_file, "path"_a, "overrides"_a);
  m.def(
      "set_vtk_reader",
      [](std::string python, std::string modules) {
        set_vtk_reader({std::move(python), std::move(modules)});
      },
      "python"_a, "modules"_a);
  m.def("source_of_text", &from_text, "text"_a, "label"_a, "directory"_a, "has_lines"_a,
        "overrides"_a);
}

}  // namespace nodia::python
