#include "scenarios/build/randomize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "kernels/core/error.hpp"
#include "scenarios/build/document.hpp"
#include "scenarios/format/overrides.hpp"
#include "scenarios/format/yaml_path.hpp"

namespace nodia {
namespace {

std::vector<RandomRange> ranges_of(const YamlNode& root) {
  return read_document(root).randomize;
}

/// A known key, or a component of one that holds several numbers: `bodies.mat.velocity_m_s.0`.
bool is_number_key(const YamlNode& root, const std::string& path) {
  const std::vector<std::string> known = scenario_keys().known(root);
  const auto is_known = [&](const std::string& key) {
    return std::find(known.begin(), known.end(), key) != known.end();
  };
  const std::string group = path.substr(0, path.rfind('.'));
  return is_known(path) || (index_of(last_word(path), 6) && is_known(group));
}

YamlNode drawn_node(double value, const YamlNode& range) {
  YamlNode node = yaml_scalar(value);
  node.line = range.line;
  node.source = range.source;
  return node;
}

void remove_member(YamlNode* root, const std::string& name) {
  std::erase_if(root->children, [&](const YamlNode& child) { return child.key == name; });
}

}  // namespace

void remove_set_ranges(YamlNode* root, const std::vector<std::string>& set) {
  YamlNode* const ranges = root->find("randomize");
  if (!ranges) return;
  std::erase_if(ranges->children, [&](const YamlNode& range) {
    return std::any_of(set.begin(), set.end(), [&](const std::string& key) {
      return within(key, range.key) || within(range.key, key);
    });
  });
}

std::vector<DrawnValue> draw_values(YamlNode* root, const DrawSeed& draw) {
  std::vector<DrawnValue> drawn;
  for (const RandomRange& range : ranges_of(*root)) {
    const double value = range.low + draw_unit(draw, range.key) * (range.high - range.low);
    put(root, scenario_keys(), range.key,
        drawn_node(value, *root->find("randomize")->find(range.key)));
    drawn.push_back({range.key, value});
  }
  remove_member(root, "randomize");
  return drawn;
}

void require_good_ranges(const YamlNode& root) {
  for (const RandomRange& range : ranges_of(root)) {
    const YamlNode& written = *root.find("randomize")->find(range.key);
    const std::string where =
        fmt::format("{}: randomize.{}", location(written), shown(yaml_plain(range.key)));
    for (const char* fixed : {"format_version", "seed", "episode", "attempt", "environments"})
      if (range.key == fixed)
        throw InputError(fmt::format("{} = {} (must be a key of the scene; {} is what draws go by)",
                                     where, shown(written), fixed));
    for (const double end : {range.low, range.high}) {
      YamlNode tried = root;
      remove_member(&tried, "randomize");
      try {
        const std::string path = put(&tried, scenario_keys(), range.key, drawn_node(end, written));
        if (path != range.key) throw InputError(fmt::format("write {}", path));
        if (!is_number_key(tried, path)) throw InputError("only a single number can be drawn");
        read_document(tried);
      } catch (const InputError& error) {
        std::string_view rule = error.what();
        const std::string place = location(written) + ": ";
        if (rule.starts_with(place)) rule.remove_prefix(place.size());
        throw InputError(fmt::format("{} = {} (must be a known number and its range; {})", where,
                                     shown(written), rule));
      }
    }
  }
}

}  // namespace nodia
