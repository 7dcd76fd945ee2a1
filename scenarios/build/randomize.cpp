#include "scenarios/build/randomize.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "scenarios/build/document.hpp"
#include "scenarios/format/overrides.hpp"
#include "scenarios/format/writer.hpp"
#include "scenarios/format/yaml_path.hpp"

namespace nodia {
namespace {

/// Keys that `randomize` cannot sample, because the samples depend on them.
constexpr const char* kFixed[] = {"format_version", "seed", "episode", "attempt", "environments"};

std::vector<DrawRule> rules_of(const YamlNode& root) {
  return read_document(root).randomize;
}

const YamlNode& written_rule(const YamlNode& root, const std::string& key) {
  return *root.find("randomize")->find(key);
}

bool is_known(const YamlNode& root, const std::string& key) {
  const std::vector<std::string> known = scenario_keys().known(root);
  return std::find(known.begin(), known.end(), key) != known.end();
}

/// List that a key is a component of: `bodies.mat.velocity_m_s` for `bodies.mat.velocity_m_s.0`.
/// Absent if the last name of the key is not an index.
std::optional<std::string> list_of_component(const std::string& key) {
  const std::size_t dot = key.rfind('.');
  if (dot == std::string::npos || !index_of(last_word(key), 6)) return std::nullopt;
  return key.substr(0, dot);
}

void remove_member(YamlNode* root, const std::string& name) {
  std::erase_if(root->children, [&](const YamlNode& child) { return child.key == name; });
}

/// Gives a sampled value the file and line of its rule, for messages.
YamlNode placed(YamlNode value, const YamlNode& rule) {
  if (value.source) return value;  // a value of a choice has its own file and line
  value.line = rule.line;
  value.source = rule.source;
  for (YamlNode& child : value.children) child = placed(std::move(child), rule);
  return value;
}

/// Sets a known key to a value. If the key is a component of a list that the file leaves out, the
/// other components get their defaults.
std::string put_drawn(YamlNode* root, const std::string& key, YamlNode value) {
  const std::optional<std::string> list = list_of_component(key);
  if (list && !find_node(*root, *list) && is_known(*root, *list)) {
    ScenarioDocument document = read_document(*root);
    const YamlNode defaults = Writer::written(document);
    if (const YamlNode* whole = find_node(defaults, *list)) {
      YamlNode filled = *whole;
      filled.source = nullptr;
      put(root, scenario_keys(), *list, placed(std::move(filled), value));
    }
  }
  return put(root, scenario_keys(), key, std::move(value));
}

/// Value of a rule with `same_as`, from the value of the other key.
/// @throws InputError if the rule has a factor and the value is not a number
YamlNode followed(const DrawRule& rule, YamlNode value) {
  if (!rule.times) return value;
  std::optional<YamlNode> product = times(value, *rule.times);
  if (!product)
    throw InputError(fmt::format("{} is {}, no number that times {} could go with", *rule.same_as,
                                 shown(value), *rule.times));
  return *std::move(product);
}

/// Samples the values of keys by their rules.
class Draws {
 public:
  Draws(const YamlNode& root, std::vector<DrawRule> rules)
      : root_(root), rules_(std::move(rules)) {}

  const std::vector<DrawRule>& rules() const { return rules_; }

  /// @throws InputError if the rule multiplies a value that is not a number
  YamlNode value(const DrawRule& rule, const DrawSeed& draw) const {
    if (!rule.same_as) return draw_value(rule, draw, find_node(root_, rule.key));
    return followed(rule, value(*find(*rule.same_as), draw));
  }

  /// Extreme values that the rule may sample, see extreme_values().
  std::vector<YamlNode> extremes(const DrawRule& rule) const {
    if (!rule.same_as) return extreme_values(rule, find_node(root_, rule.key));
    std::vector<YamlNode> values;
    for (const YamlNode& value : extremes(*find(*rule.same_as)))
      values.push_back(followed(rule, value));
    return values;
  }

  const DrawRule* find(const std::string& key) const {
    for (const DrawRule& rule : rules_)
      if (rule.key == key) return &rule;
    return nullptr;
  }

 private:
  const YamlNode& root_;
  std::vector<DrawRule> rules_;
};

/// Rule that replaces a `same_as` rule after an override has set the other key: a choice with one
/// value, that of the other key.
YamlNode held_rule(const YamlNode& root, const DrawRule& rule) {
  const YamlNode* const set = find_node(root, *rule.same_as);
  if (!set)
    refuse_rule(root, rule.key,
                fmt::format("same_as {}, which an override leaves without a value; set it too",
                            *rule.same_as));
  const YamlNode& written = written_rule(root, rule.key);
  YamlNode choice, held;
  try {
    choice.children.push_back(placed(followed(rule, *set), written));
  } catch (const InputError& error) {
    refuse_rule(root, rule.key, error.what());
  }
  choice.children.front().key.clear();
  choice.kind = YamlKind::sequence;
  choice.key = "choice";
  held.kind = YamlKind::map;
  held.key = rule.key;
  held.children.push_back(std::move(choice));
  return placed(std::move(held), written);
}

/// The chain of `same_as` must end at a rule that samples.
void require_source(const YamlNode& root, const Draws& draws, const DrawRule& rule) {
  const DrawRule* at = &rule;
  for (std::size_t n = 0; at->same_as; ++n) {
    const DrawRule* const next = draws.find(*at->same_as);
    if (n > draws.rules().size() || next == &rule)
      refuse_rule(root, rule.key,
                  fmt::format("must not lead back to itself; same_as {}", *at->same_as));
    if (!next) {
      std::vector<std::string> others;
      for (const DrawRule& other : draws.rules())
        if (&other != &rule) others.push_back(other.key);
      refuse_rule(root, rule.key,
                  fmt::format("same_as must be another key of randomize; {}",
                              others.empty() ? "there is none"
                                             : fmt::format("did you mean {}?",
                                                           nearest_name(*at->same_as, others))));
    }
    at = next;
  }
}

/// Two rules must not sample the same key.
void require_apart(const YamlNode& root, const Draws& draws, const DrawRule& rule) {
  for (const DrawRule& other : draws.rules())
    if (&other != &rule && within(rule.key, other.key))
      refuse_rule(root, rule.key,
                  fmt::format("must not lie in another drawn key; {} is drawn", other.key));
}

/// Sets the key to a value that the rule may sample, and reads the document.
/// @param tried  tree without `randomize`
/// @throws InputError if the key does not accept the value
void require_accepted(YamlNode tried, const DrawRule& rule, YamlNode value) {
  const std::string path = put_drawn(&tried, rule.key, std::move(value));
  if (path != rule.key) throw InputError(fmt::format("write {}", path));
  const std::optional<std::string> list = list_of_component(path);
  if (!is_known(tried, path) && !(list && is_known(tried, *list)))
    throw InputError("it is a part of what can be drawn as a whole only");
  if (rule.rotation && last_word(path) != "orientation_wxyz")
    throw InputError("rotation is for a key orientation_wxyz");
  read_document(tried);
}

}  // namespace

void refuse_rule(const YamlNode& root, const std::string& key, const std::string& why) {
  const YamlNode& written = written_rule(root, key);
  throw InputError(fmt::format("{}: randomize.{} = {} ({})", location(written),
                               shown(yaml_plain(key)), shown(written), why));
}

void remove_set_rules(YamlNode* root, const std::vector<std::string>& set) {
  YamlNode* const rules = root->find("randomize");
  if (!rules) return;
  const auto is_set = [&](const std::string& rule) {
    return std::any_of(set.begin(), set.end(), [&](const std::string& key) {
      return within(key, rule) || within(rule, key);
    });
  };
  bool any_held = false;
  for (const DrawRule& rule : rules_of(*root)) {
    if (!rule.same_as || is_set(rule.key) || !is_set(*rule.same_as)) continue;
    YamlNode held = held_rule(*root, rule);
    *rules->find(rule.key) = std::move(held);
    any_held = true;
  }
  std::erase_if(rules->children, [&](const YamlNode& rule) { return is_set(rule.key); });
  if (any_held) require_good_rules(*root);
}

std::vector<DrawnValue> draw_values(YamlNode* root, const DrawSeed& draw) {
  const YamlNode before = *root;
  remove_member(root, "randomize");
  std::vector<DrawnValue> drawn;
  const Draws draws(before, rules_of(before));
  for (const DrawRule& rule : draws.rules()) {
    YamlNode value = placed(draws.value(rule, draw), written_rule(before, rule.key));
    put_drawn(root, rule.key, value);
    drawn.push_back({rule.key, std::move(value)});
  }
  return drawn;
}

void require_good_rules(const YamlNode& root) {
  const Draws draws(root, rules_of(root));
  YamlNode bare = root;
  remove_member(&bare, "randomize");
  for (const DrawRule& rule : draws.rules()) {
    for (const char* fixed : kFixed)
      if (rule.key == fixed)
        refuse_rule(root, rule.key,
                    fmt::format("must be a key of the scene; {} is what draws go by", fixed));
    require_source(root, draws, rule);
    require_apart(root, draws, rule);
    const YamlNode& written = written_rule(root, rule.key);
    try {
      for (const YamlNode& value : draws.extremes(rule))
        require_accepted(bare, rule, placed(value, written));
    } catch (const InputError& error) {
      std::string_view why = error.what();
      const std::string place = location(written) + ": ";
      if (why.starts_with(place)) why.remove_prefix(place.size());
      refuse_rule(root, rule.key, fmt::format("must be values that their key accepts; {}", why));
    }
  }
}

std::vector<YamlNode> extremes_of_rule(const YamlNode& root, const std::string& key) {
  const Draws draws(root, rules_of(root));
  return draws.extremes(*draws.find(key));
}

std::vector<DrawRule> with_absolute_paths(const YamlNode& root) {
  YamlNode bare = root;
  remove_member(&bare, "randomize");
  std::vector<DrawRule> rules = rules_of(root);
  for (DrawRule& rule : rules) {
    if (!rule.choice) continue;
    for (YamlNode& value : *rule.choice) {
      YamlNode tried = bare;
      put_drawn(&tried, rule.key, value);
      ScenarioDocument document = read_document(tried);
      const YamlNode all = Writer::written(document);
      if (const YamlNode* whole = find_node(all, rule.key)) value = *whole;
    }
  }
  return rules;
}

}  // namespace nodia
