/// Sections of the .msh format 2.2. Integers take 4 bytes in binary; the counts that open a section
/// are text always.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "fem/mesh/gmsh_content.hpp"
#include "fem/mesh/gmsh_element_types.hpp"

namespace nodia::gmsh {
namespace {

/// First two tags of an element: physical group and geometric entity.
struct Origin {
  std::int64_t physical = 0, entity = 0;
};

/// Drops all but the first of the copies that Gmsh writes of an element for each of its physical
/// groups: the same nodes in the same order and the same entity, but another group.
void drop_copies(std::vector<std::array<std::int32_t, 4>>& tets,
                 const std::vector<Origin>& origins) {
  const auto other_group = [&](const Origin& o) { return o.physical != origins.front().physical; };
  if (std::none_of(origins.begin(), origins.end(), other_group)) return;
  std::vector<std::int32_t> order(tets.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return std::tie(tets[a], origins[a].entity, a) < std::tie(tets[b], origins[b].entity, b);
  });
  std::vector<bool> copy(tets.size(), false);
  for (std::size_t first = 0, k = 1; k < order.size(); ++k) {
    const std::int32_t a = order[first], b = order[k];
    if (tets[a] != tets[b] || origins[a].entity != origins[b].entity) {
      first = k;
    } else if (origins[a].physical != origins[b].physical) {
      copy[b] = true;
    }
  }
  std::size_t kept = 0;
  for (std::size_t e = 0; e < tets.size(); ++e) {
    if (!copy[e]) tets[kept++] = tets[e];
  }
  tets.resize(kept);
}

Origin read_tags(Cursor& cursor, std::int64_t n_tag) {
  Origin origin;
  for (std::int64_t k = 0; k < n_tag; ++k) {
    const std::int64_t tag = cursor.integer("element's tag", -kMaxInt32, kMaxInt32);
    if (k == 0) origin.physical = std::abs(tag);
    if (k == 1) origin.entity = tag;
  }
  return origin;
}

}  // namespace

void read_nodes_22(Cursor& cursor, Content& content) {
  const std::int64_t n_node = cursor.text_integer("number of nodes", 0, kMaxInt32);
  if (cursor.binary()) cursor.end_line();
  cursor.require_room("number of nodes", n_node, 28, 8);
  content.mesh.nodes.reserve(n_node);
  content.tags.reserve(n_node);
  for (std::int64_t i = 0; i < n_node; ++i) {
    content.tags.add(cursor.integer("node tag", 0, kMaxInt32));
    Vec3d p;
    for (int k = 0; k < 3; ++k) p[k] = cursor.real("coordinate");
    content.mesh.nodes.push_back(p);
  }
}

void read_elements_22(Cursor& cursor, Content& content) {
  content.groups.attach_names_to_themselves();
  const std::int64_t n_element = cursor.text_integer("number of elements", 0, kMaxInt32);
  if (cursor.binary()) cursor.end_line();
  cursor.require_room("number of elements", n_element, 8, 6);

  std::vector<Origin> origins;  // of the tetrahedra
  const auto read_rest = [&](int type, int n_node, std::int64_t n_tag) {
    const Origin origin = read_tags(cursor, n_tag);
    if (type == kTetrahedron) origins.push_back(origin);
    auto* members = content.groups.members({kElementTypes[type].dimension, origin.physical});
    read_element_nodes(cursor, content, type, n_node, 4, members);
  };
  for (std::int64_t done = 0; done < n_element;) {
    int type = 0;
    if (cursor.binary()) {
      const int n_node = read_element_type(cursor, type);
      const std::int64_t n_follow = cursor.integer("elements in block", 1, n_element - done);
      const std::int64_t n_tag = cursor.integer("number of tags", 0, kMaxInt32);
      cursor.require_room("elements in block", n_follow, 4 * (1 + n_tag + n_node), 1);
      for (std::int64_t k = 0; k < n_follow; ++k) {
        cursor.integer("element tag", 0, kMaxInt32);
        read_rest(type, n_node, n_tag);
      }
      done += n_follow;
    } else {
      cursor.integer("element tag", 0, kMaxInt32);
      const int n_node = read_element_type(cursor, type);
      read_rest(type, n_node, cursor.integer("number of tags", 0, kMaxInt32));
      ++done;
    }
  }
  drop_copies(content.mesh.tets, origins);
}

}  // namespace nodia::gmsh
