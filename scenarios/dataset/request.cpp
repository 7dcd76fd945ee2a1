#include "scenarios/dataset/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "host/io/sha256.hpp"
#include "kernels/core/error.hpp"
#include "scenarios/build/document.hpp"
#include "scenarios/format/reader.hpp"
#include "scenarios/format/writer.hpp"

namespace nodia {
namespace {

constexpr const char* kFormat = "nodia_dataset";

/// Keys of dataset.yaml except `scenario`.
struct Head {
  std::string format = kFormat;
  int format_version = kDatasetVersion;
  DatasetRequest request;
};

void visit_keys(DocumentVisitor& v, Head& h) {
  v.text({"format", "", "", true}, h.format);
  v.integer({"format_version", "", "a larger number needs a newer nodia", true}, h.format_version,
            1, kDatasetVersion);
  DatasetRequest& r = h.request;
  v.unsigned_64({"seed", "", "", true}, r.seed);
  v.integer({"episodes", "", "", true}, r.episodes, 1, kMostEpisodes);
  v.integer({"block", "", "", true}, r.block, 1, kMostBlockEpisodes);
  v.text({"build", "", "", true}, r.build);
  v.text({"cpu_family", "", "", true}, r.cpu_family);
  v.texts({"assets", "", ""}, r.assets);
}

/// A leaf of the tree: a scalar, or an empty group or list.
struct KeyValue {
  std::string key;  ///< dotted
  const YamlNode* node;

  std::string exact() const { return node->kind == YamlKind::scalar ? node->text : shown(*node); }
};

/// Appends all leaves of the tree, in the order of the file.
void list_values(const YamlNode& node, const std::string& path, std::vector<KeyValue>* values) {
  if (node.children.empty()) {
    values->push_back({path, &node});
    return;
  }
  for (std::size_t k = 0; k < node.children.size(); ++k) {
    const YamlNode& child = node.children[k];
    list_values(child, joined(path, node.is_map() ? child.key : std::to_string(k)), values);
  }
}

YamlNode tree_of(const DatasetRequest& request) {
  Head head;
  head.request = request;
  YamlNode tree = Writer::written(head);
  YamlNode scenario = request.scenario;
  scenario.key = "scenario";
  tree.children.push_back(std::move(scenario));
  return tree;
}

/// Leaves that difference_of() compares. The assets come last, so that a changed file is reported
/// with the key of the scenario that names it.
std::vector<KeyValue> values_of(const YamlNode& tree) {
  std::vector<KeyValue> values;
  list_values(tree, "", &values);
  std::erase_if(values,
                [](const KeyValue& v) { return v.key == "build" || v.key == "cpu_family"; });
  std::stable_partition(values.begin(), values.end(),
                        [](const KeyValue& v) { return !v.key.starts_with("assets"); });
  return values;
}

}  // namespace

std::string written(const DatasetRequest& request) {
  return write_yaml(tree_of(request));
}

std::string sha256_of(const DatasetRequest& request) {
  return sha256_of(written(request));
}

DatasetRequest read_request(const std::string& text, const std::string& label,
                            const std::string& directory) {
  auto source = std::make_shared<YamlSource>();
  source->label = label;
  source->directory = directory;
  YamlNode tree = parse_yaml(text, source);
  const YamlNode* format = tree.find("format");
  if (!format || format->text != kFormat)
    throw InputError(
        fmt::format("{}: no request of a dataset (its format must be {})", label, kFormat));
  const auto scenario = std::find_if(tree.children.begin(), tree.children.end(),
                                     [](const YamlNode& child) { return child.key == "scenario"; });
  if (scenario == tree.children.end())
    throw InputError(fmt::format("{}: scenario is missing", label));
  Head head;
  head.request.scenario = std::move(*scenario);
  tree.children.erase(scenario);
  Reader reader(tree, "");
  visit_keys(reader, head);
  reader.finish();
  return std::move(head.request);
}

RequestDifference difference_of(const DatasetRequest& was, const DatasetRequest& is) {
  const YamlNode before = tree_of(was), now = tree_of(is);
  std::map<std::string, const YamlNode*> of[2];
  for (const KeyValue& v : values_of(before)) of[0][v.key] = v.node;
  for (const KeyValue& v : values_of(now)) of[1][v.key] = v.node;
  const auto told = [](const YamlNode* node) { return node ? shown(*node) : "nothing"; };
  for (const YamlNode* tree : {&now, &before})
    for (const auto& [key, node] : values_of(*tree)) {
      const YamlNode* const a = of[0][key];
      const YamlNode* const b = of[1][key];
      if (!a || !b || KeyValue{key, a}.exact() != KeyValue{key, b}.exact())
        return {key, told(a), told(b)};
    }
  return {};
}

}  // namespace nodia
