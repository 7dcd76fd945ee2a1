#include "fem/mesh/gmsh_content.hpp"

#include <algorithm>

#include "fem/mesh/gmsh_element_types.hpp"

namespace nodia::gmsh {

std::pair<bool, std::int64_t> TagIndex::finish() {
  if (!std::is_sorted(entries_.begin(), entries_.end())) {
    std::sort(entries_.begin(), entries_.end());
  }
  const auto same_tag = [](const auto& a, const auto& b) { return a.first == b.first; };
  const auto twice = std::adjacent_find(entries_.begin(), entries_.end(), same_tag);
  if (twice == entries_.end()) return {true, 0};
  return {false, twice->first};
}

std::int32_t TagIndex::find(std::int64_t tag) const {
  if (entries_.empty() || tag < entries_.front().first || tag > entries_.back().first) return -1;
  const std::int64_t offset = tag - entries_.front().first;
  // Tags without gaps are the rule.
  if (offset < static_cast<std::int64_t>(entries_.size()) && entries_[offset].first == tag) {
    return entries_[offset].second;
  }
  const auto it =
      std::lower_bound(entries_.begin(), entries_.end(), tag,
                       [](const auto& entry, std::int64_t t) { return entry.first < t; });
  return it->first == tag ? it->second : -1;
}

void Groups::attach(Key key, Key physical) {
  if (names_.count(physical) == 1) sources_[key].physicals.push_back(physical);
}

void Groups::attach_names_to_themselves() {
  for (const auto& [physical, name] : names_) attach(physical, physical);
}

std::vector<std::int32_t>* Groups::members(Key key) {
  const auto it = sources_.find(key);
  return it == sources_.end() ? nullptr : &it->second.nodes;
}

bool Groups::make_node_sets(std::size_t max_entry,
                            std::map<std::string, std::vector<std::int32_t>>& node_sets) {
  const auto sort_unique = [](std::vector<std::int32_t>& v) {
    std::sort(v.begin(), v.end());
    v.erase(std::unique(v.begin(), v.end()), v.end());
  };
  std::size_t n_entry = 0;
  for (auto& [key, source] : sources_) {
    sort_unique(source.nodes);
    n_entry += source.nodes.size() * source.physicals.size();
  }
  if (n_entry > max_entry) return false;
  for (const auto& [physical, name] : names_) node_sets[name];
  for (const auto& [key, source] : sources_) {
    for (const Key& physical : source.physicals) {
      auto& set = node_sets[names_.at(physical)];
      set.insert(set.end(), source.nodes.begin(), source.nodes.end());
    }
  }
  for (auto& [name, set] : node_sets) sort_unique(set);
  return true;
}

int read_element_type(Cursor& cursor, int& type) {
  constexpr std::int64_t kLast = kElementTypes.size() - 1;
  type = static_cast<int>(cursor.integer("element type", 1, kLast));
  const int n_node = kElementTypes[type].n_node;
  if (n_node == 0) {
    cursor.fail("element type", std::to_string(type), "a type with a fixed number of nodes");
  }
  return n_node;
}

void read_element_nodes(Cursor& cursor, Content& content, int type, int n_node, int tag_bytes,
                        std::vector<std::int32_t>* members) {
  std::array<std::int32_t, 4> tet{};
  Tetrahedron10 second_order{};
  const bool keeps = type == kTetrahedron || type == kTetrahedron10;
  if (!keeps && kElementTypes[type].dimension == 3) ++content.other_volumes[type];
  for (int k = 0; k < n_node; ++k) {
    const std::int64_t tag = tag_bytes == 4 ? cursor.integer("node tag", 0, kMaxInt32)
                                            : cursor.size("node tag", 0, kMaxInt64);
    if (!keeps && members == nullptr) continue;
    const std::int32_t node = content.tags.find(tag);
    if (node < 0) cursor.fail("node tag", std::to_string(tag), "a tag from the section $Nodes");
    if (type == kTetrahedron) tet[k] = node;
    if (type == kTetrahedron10) second_order[k] = node;
    if (members != nullptr) members->push_back(node);
  }
  if (type == kTetrahedron) content.mesh.tets.push_back(tet);
  if (type == kTetrahedron10) content.second_order.push_back(second_order);
}

}  // namespace nodia::gmsh
