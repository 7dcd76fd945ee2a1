#include <bit>
#include <filesystem>
#include <fstream>
#include <set>

#include "fem/mesh/gmsh.hpp"
#include "fem/mesh/gmsh_content.hpp"
#include "fem/mesh/hint_to_convert.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/input_file.hpp"

namespace nodia {
namespace {

using gmsh::Content;
using gmsh::Cursor;

enum class Version { k22, k41 };

/// What follows $MeshFormat.
Version read_format(Cursor& cursor) {
  const std::string version(cursor.word());
  if (version != "2.2" && version != "4.1") {
    cursor.fail("version", version, "2.2 or 4.1; Gmsh saves it with Mesh.MshFileVersion = 4.1");
  }
  const bool binary = cursor.text_integer("file type", 0, 1) == 1;
  cursor.text_integer("data size", binary ? 8 : 4, 8);
  if (binary) {
    cursor.end_line();
    cursor.set_binary(true);
    const std::int32_t one = cursor.raw_integer();
    if (one == 0x01000000) cursor.fail("the file is big endian (must be little endian or ASCII)");
    if (one != 1) cursor.fail("byte order mark", std::to_string(one), "1");
  }
  cursor.expect_word("$EndMeshFormat");
  return version == "2.2" ? Version::k22 : Version::k41;
}

void read_physical_names(Cursor& cursor, Content& content) {
  const std::int64_t n = cursor.text_integer("number of physical names", 0, gmsh::kMaxInt32);
  cursor.require_room("number of physical names", n, 7, 7);
  for (std::int64_t k = 0; k < n; ++k) {
    const auto dimension = static_cast<int>(cursor.text_integer("dimension", 0, 3));
    const std::int64_t tag = cursor.text_integer("physical tag", 1, gmsh::kMaxInt32);
    std::string name = cursor.quoted();
    if (!name.empty()) content.groups.add_name({dimension, tag}, std::move(name));
  }
}

std::string read_file(const std::string& path) {
  require_readable_file(path, "a Gmsh .msh file");
  constexpr std::uintmax_t kMaxBytes = std::uintmax_t{1} << 32;
  std::error_code error;
  const std::uintmax_t n_byte = std::filesystem::file_size(path, error);
  if (error || n_byte > kMaxBytes) throw InputError(path + ": is larger than 4 GiB");
  std::string bytes(n_byte, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(n_byte));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

}  // namespace

TetMesh parse_gmsh(std::string_view bytes, const std::string& name, std::string* notice) {
  static_assert(std::endian::native == std::endian::little);
  Cursor cursor(bytes, name);
  if (cursor.at_end()) throw InputError(name + ": is empty (must be a Gmsh .msh file)");
  std::string_view first = cursor.word();
  if (first == "$Comments") {
    cursor.skip_behind_line("$EndComments");
    first = cursor.word();
  }
  if (first.starts_with('('))  // meshio writes this to .msh unless the caller names a Gmsh format
    cursor.fail("an ANSYS file (must be a Gmsh .msh file; " + hint_to_convert(name) + ")");
  if (first != "$MeshFormat") cursor.fail("not a Gmsh .msh file (must begin with $MeshFormat)");
  const Version version = read_format(cursor);

  Content content;
  std::set<std::string> seen;
  while (!cursor.at_end()) {
    const std::string section(cursor.word());
    if (section.front() != '$') cursor.fail("expected a section such as $Nodes");
    const auto require_before = [&](const char* later) {
      if (seen.count(later) == 1)
        cursor.fail(section + " comes after " + later + " (must be before)");
    };
    const bool known = section == "$PhysicalNames" || section == "$Nodes" ||
                       section == "$Elements" ||
                       (section == "$Entities" && version == Version::k41);
    if (section == "$PartitionedEntities") {
      cursor.fail("the mesh is partitioned (must be saved without partitions)");
    }
    if (section == "$ParametricNodes") {
      cursor.fail("$ParametricNodes are not read (must be saved with Mesh.SaveParametric = 0)");
    }
    if (!known) {
      cursor.skip_behind_line("$End" + section.substr(1));
      continue;
    }
    if (!seen.insert(section).second) cursor.fail(section + " is there twice");
    if (cursor.binary()) cursor.end_line();
    if (section == "$PhysicalNames") {
      require_before("$Entities");
      require_before("$Elements");
      read_physical_names(cursor, content);
    } else if (section == "$Entities") {
      require_before("$Elements");
      gmsh::read_entities_41(cursor, content);
    } else if (section == "$Nodes") {
      (version == Version::k22 ? gmsh::read_nodes_22 : gmsh::read_nodes_41)(cursor, content);
      const auto [unique, tag] = content.tags.finish();
      if (!unique) cursor.fail("node tag " + std::to_string(tag) + " is there twice");
    } else {
      if (seen.count("$Nodes") == 0) cursor.fail("$Elements comes before $Nodes (must be after)");
      (version == Version::k22 ? gmsh::read_elements_22 : gmsh::read_elements_41)(cursor, content);
    }
    cursor.expect_word("$End" + section.substr(1));
  }
  for (const char* section : {"$Nodes", "$Elements"}) {
    if (seen.count(section) == 0)
      cursor.fail(std::string("section ") + section + " is missing (the file may be truncated)");
  }
  if (!content.groups.make_node_sets(cursor.n_byte(), content.mesh.node_sets)) {
    cursor.fail(
        "the physical groups overlap so often that they hold more nodes than the file has bytes");
  }
  const std::string done = gmsh::keep_corners(content, name);
  if (notice) *notice = done;
  return std::move(content.mesh);
}

TetMesh read_gmsh(const std::string& path, std::string* notice) {
  return parse_gmsh(read_file(path), path, notice);
}

}  // namespace nodia
