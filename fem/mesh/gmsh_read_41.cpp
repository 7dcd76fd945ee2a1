/// Sections of the .msh format 4.1. Entity tags, dimensions and types take 4 bytes in binary, all
/// else 8.
#include "fem/mesh/gmsh_content.hpp"

namespace nodia::gmsh {
namespace {

struct Block {
  int dimension = 0;
  std::int64_t entity = 0;
};

Block read_block_start(Cursor& cursor) {
  Block block;
  block.dimension = static_cast<int>(cursor.integer("entity dimension", 0, 3));
  block.entity = cursor.integer("entity tag", -kMaxInt32, kMaxInt32);
  return block;
}

struct Totals {
  std::int64_t n_block = 0, n_item = 0;
};

/// "number of blocks, number of `items`, lowest tag, highest tag"
Totals read_totals(Cursor& cursor, const std::string& items, int bytes_binary, int bytes_text) {
  Totals totals;
  totals.n_block = cursor.size("number of blocks", 0, kMaxInt64);
  cursor.require_room("number of blocks", totals.n_block, 20, 8);
  totals.n_item = cursor.size("number of " + items, 0, kMaxInt32);
  cursor.require_room("number of " + items, totals.n_item, bytes_binary, bytes_text);
  cursor.size("lowest tag", 0, kMaxInt64);
  cursor.size("highest tag", 0, kMaxInt64);
  return totals;
}

}  // namespace

void read_entities_41(Cursor& cursor, Content& content) {
  std::int64_t count[4];
  for (auto& n : count) {
    n = cursor.size("number of entities", 0, kMaxInt64);
    cursor.require_room("number of entities", n, 36, 10);
  }
  for (int dimension = 0; dimension < 4; ++dimension) {
    for (std::int64_t i = 0; i < count[dimension]; ++i) {
      const std::int64_t entity = cursor.integer("entity tag", -kMaxInt32, kMaxInt32);
      const int n_bound = dimension == 0 ? 3 : 6;
      for (int k = 0; k < n_bound; ++k) cursor.real("bounding box");
      const std::int64_t n_physical = cursor.size("number of physical tags", 0, kMaxInt64);
      cursor.require_room("number of physical tags", n_physical, 4, 2);
      for (std::int64_t k = 0; k < n_physical; ++k) {
        const std::int64_t physical = cursor.integer("physical tag", -kMaxInt32, kMaxInt32);
        content.groups.attach({dimension, entity}, {dimension, std::abs(physical)});
      }
      if (dimension == 0) continue;
      const std::int64_t n_boundary = cursor.size("number of bounding entities", 0, kMaxInt64);
      cursor.require_room("number of bounding entities", n_boundary, 4, 2);
      for (std::int64_t k = 0; k < n_boundary; ++k) {
        cursor.integer("bounding entity", -kMaxInt32, kMaxInt32);
      }
    }
  }
}

void read_nodes_41(Cursor& cursor, Content& content) {
  const Totals totals = read_totals(cursor, "nodes", 32, 8);
  auto& nodes = content.mesh.nodes;
  nodes.reserve(totals.n_item);
  content.tags.reserve(totals.n_item);
  for (std::int64_t b = 0; b < totals.n_block; ++b) {
    const Block block = read_block_start(cursor);
    const bool parametric = cursor.integer("parametric", 0, 1) == 1;
    const auto missing = totals.n_item - static_cast<std::int64_t>(nodes.size());
    const std::int64_t n = cursor.size("nodes in block", 0, missing);
    for (std::int64_t k = 0; k < n; ++k) content.tags.add(cursor.size("node tag", 0, kMaxInt64));
    for (std::int64_t k = 0; k < n; ++k) {
      Vec3d p;
      for (int axis = 0; axis < 3; ++axis) p[axis] = cursor.real("coordinate");
      for (int u = 0; parametric && u < block.dimension; ++u) cursor.real("parameter");
      nodes.push_back(p);
    }
  }
  if (static_cast<std::int64_t>(nodes.size()) != totals.n_item) {
    cursor.fail("number of nodes", std::to_string(totals.n_item),
                "the sum over the blocks, " + std::to_string(nodes.size()));
  }
}

void read_elements_41(Cursor& cursor, Content& content) {
  const Totals totals = read_totals(cursor, "elements", 16, 4);
  std::int64_t missing = totals.n_item;
  for (std::int64_t b = 0; b < totals.n_block; ++b) {
    const Block block = read_block_start(cursor);
    int type = 0;
    const int n_node = read_element_type(cursor, type);
    const std::int64_t n = cursor.size("elements in block", 0, missing);
    cursor.require_room("elements in block", n, 8 * (1 + n_node), 2 * (1 + n_node));
    auto* members = content.groups.members({block.dimension, block.entity});
    for (std::int64_t k = 0; k < n; ++k) {
      cursor.size("element tag", 0, kMaxInt64);
      read_element_nodes(cursor, content, type, n_node, 8, members);
    }
    missing -= n;
  }
  if (missing != 0) {
    cursor.fail("number of elements", std::to_string(totals.n_item),
                "the sum over the blocks, " + std::to_string(totals.n_item - missing));
  }
}

}  // namespace nodia::gmsh
