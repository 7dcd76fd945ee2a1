/// What is gathered while a .msh file is read, whatever its version.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fem/mesh/gmsh_cursor.hpp"
#include "fem/mesh/tet_mesh.hpp"

namespace nodia::gmsh {

inline constexpr std::int64_t kMaxInt32 = 0x7fffffff;
inline constexpr std::int64_t kMaxInt64 = 0x7fffffffffffffff;

/// From node tags, which may be sparse and in any order, to node numbers in file order.
class TagIndex {
 public:
  void reserve(std::size_t n) { entries_.reserve(n); }
  void add(std::int64_t tag) {
    entries_.push_back({tag, static_cast<std::int32_t>(entries_.size())});
  }
  /// To be called when all are there. @return false, and the tag, if one was added twice
  std::pair<bool, std::int64_t> finish();
  /// -1 if there is no such tag.
  std::int32_t find(std::int64_t tag) const;

 private:
  std::vector<std::pair<std::int64_t, std::int32_t>> entries_;  ///< by tag once finished
};

/// Named physical groups and the nodes of their elements. Elements carry a key: the physical tag
/// (2.2) or the geometric entity (4.1), each with a dimension.
class Groups {
 public:
  using Key = std::pair<int, std::int64_t>;  ///< dimension, tag

  void add_name(Key physical, std::string name) { names_[physical] = std::move(name); }
  /// Elements with `key` belong to `physical`; without a name that means nothing.
  void attach(Key key, Key physical);
  void attach_names_to_themselves();
  /// List to append an element's nodes to; null if the key is in no named group. Valid until the
  /// next attach.
  std::vector<std::int32_t>* members(Key key);
  /// Node sets by name, each ascending.
  /// @return false if they would hold more than `max_entry` entries in all
  bool make_node_sets(std::size_t max_entry,
                      std::map<std::string, std::vector<std::int32_t>>& node_sets);

 private:
  struct Source {
    std::vector<Key> physicals;
    std::vector<std::int32_t> nodes;
  };
  std::map<Key, std::string> names_;
  std::map<Key, Source> sources_;
};

/// A tetrahedron of second order: corners, then the middles of the edges 01, 12, 20, 30, 23, 13.
using Tetrahedron10 = std::array<std::int32_t, 10>;

struct Content {
  TetMesh mesh;
  std::vector<Tetrahedron10> second_order;
  std::map<int, std::int64_t>
      other_volumes;  ///< elements of dimension 3 by type, tetrahedra left out
  TagIndex tags;
  Groups groups;
};

/// Sections of each version, without their first and last line.
void read_nodes_22(Cursor& cursor, Content& content);
void read_elements_22(Cursor& cursor, Content& content);
void read_entities_41(Cursor& cursor, Content& content);
void read_nodes_41(Cursor& cursor, Content& content);
void read_elements_41(Cursor& cursor, Content& content);

/// Takes the corners of second-order tetrahedra as tetrahedra and drops what lies between them; all
/// node numbers follow.
/// @return a sentence on what was done, empty where nothing was
/// @throws InputError naming `name` for volumes that are no tetrahedra
std::string keep_corners(Content& content, const std::string& name);

/// Reads an element type and returns its number of nodes.
int read_element_type(Cursor& cursor, int& type);

/// Reads the `n_node` node tags of an element of `type` and files it: a tetrahedron in the mesh,
/// its nodes in `members` unless null.
/// @param tag_bytes  4 (2.2) or 8 (4.1), of a tag in binary
void read_element_nodes(Cursor& cursor, Content& content, int type, int n_node, int tag_bytes,
                        std::vector<std::int32_t>* members);

}  // namespace nodia::gmsh
