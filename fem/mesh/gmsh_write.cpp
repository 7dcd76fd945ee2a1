#include <algorithm>
#include <charconv>
#include <fstream>

#include "fem/mesh/gmsh.hpp"
#include "fem/mesh/gmsh_element_types.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// A growing .msh file: text, and values as text or little-endian binary after its mode.
class Output {
 public:
  explicit Output(bool binary) : binary_(binary) {}

  bool binary() const { return binary_; }
  Output& text(std::string_view s) {
    bytes_ += s;
    return *this;
  }
  template <class T>
  void text_value(T v) {
    char buffer[32];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), v);
    bytes_.append(buffer, static_cast<std::size_t>(end - buffer));
  }
  /// A value in the file's mode; a text value is followed by a blank.
  template <class T>
  void value(T v) {
    if (binary_) {
      bytes_.append(reinterpret_cast<const char*>(&v), sizeof(T));
    } else {
      text_value(v);
      bytes_ += ' ';
    }
  }
  void integer(std::int64_t v) { value(static_cast<std::int32_t>(v)); }
  void size(std::size_t v) { value(static_cast<std::uint64_t>(v)); }
  void point(Vec3d p) {
    for (int k = 0; k < 3; ++k) value(p[k]);
  }
  /// Ends a line of values; in binary values follow each other directly.
  void end_values() {
    if (binary_) return;
    bytes_.back() = '\n';
  }
  /// Ends the data of a section.
  void end_section(std::string_view name) {
    if (binary_) bytes_ += '\n';
    bytes_.append("$End").append(name) += '\n';
  }
  const std::string& bytes() const { return bytes_; }

 private:
  bool binary_;
  std::string bytes_;
};

void write_format(Output& out, std::string_view version) {
  out.text("$MeshFormat\n").text(version).text(out.binary() ? " 1 8\n" : " 0 8\n");
  if (out.binary()) {
    out.integer(1);
    out.text("\n");
  }
  out.text("$EndMeshFormat\n");
}

void write_names(Output& out, const TetMesh& mesh) {
  if (mesh.node_sets.empty()) return;
  out.text("$PhysicalNames\n");
  out.text_value(mesh.node_sets.size());
  out.text("\n");
  int tag = 0;
  for (const auto& [name, nodes] : mesh.node_sets) {
    out.text("0 ");
    out.text_value(++tag);
    out.text(" \"").text(name).text("\"\n");
  }
  out.text("$EndPhysicalNames\n");
}

std::size_t count_set_entries(const TetMesh& mesh) {
  std::size_t n = 0;
  for (const auto& [name, nodes] : mesh.node_sets) n += nodes.size();
  return n;
}

void write_22(Output& out, const TetMesh& mesh) {
  out.text("$Nodes\n");
  out.text_value(mesh.nodes.size());
  out.text("\n");
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    out.integer(static_cast<std::int64_t>(i) + 1);
    out.point(mesh.nodes[i]);
    out.end_values();
  }
  out.end_section("Nodes");

  out.text("$Elements\n");
  out.text_value(count_set_entries(mesh) + mesh.tets.size());
  out.text("\n");
  // A block of one type opens with type, count and number of tags in binary; each text line repeats
  // type and number of tags.
  const auto start_block = [&](int type, std::size_t n) {
    if (!out.binary() || n == 0) return;
    out.integer(type);
    out.integer(static_cast<std::int64_t>(n));
    out.integer(2);
  };
  std::int64_t element = 0;
  const auto start_element = [&](int type, int physical, int entity) {
    out.integer(++element);
    if (!out.binary()) {
      out.integer(type);
      out.integer(2);
    }
    out.integer(physical);
    out.integer(entity);
  };
  int set = 0;
  for (const auto& [name, nodes] : mesh.node_sets) {
    ++set;
    start_block(gmsh::kPoint, nodes.size());
    for (const std::int32_t node : nodes) {
      start_element(gmsh::kPoint, set, set);
      out.integer(node + std::int64_t{1});
      out.end_values();
    }
  }
  start_block(gmsh::kTetrahedron, mesh.tets.size());
  for (const auto& t : mesh.tets) {
    start_element(gmsh::kTetrahedron, 0, 1);
    for (const std::int32_t node : t) out.integer(node + std::int64_t{1});
    out.end_values();
  }
  out.end_section("Elements");
}

/// "number of blocks, number of items, lowest tag, highest tag"
void write_totals(Output& out, std::size_t n_block, std::size_t n_item) {
  out.size(n_block);
  out.size(n_item);
  out.size(n_item > 0 ? 1 : 0);
  out.size(n_item);
  out.end_values();
}

void write_entities_41(Output& out, const TetMesh& mesh) {
  Vec3d low{}, high{};
  if (!mesh.nodes.empty()) low = high = mesh.nodes.front();
  for (const Vec3d& p : mesh.nodes) {
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  }
  out.text("$Entities\n");
  for (const std::size_t n :
       {mesh.node_sets.size(), std::size_t{0}, std::size_t{0}, std::size_t{1}}) {
    out.size(n);
  }
  out.end_values();
  int set = 0;
  for (const auto& [name, nodes] : mesh.node_sets) {
    out.integer(++set);
    out.point(nodes.empty() ? low : mesh.nodes[nodes.front()]);
    out.size(1);
    out.integer(set);
    out.end_values();
  }
  out.integer(1);
  out.point(low);
  out.point(high);
  out.size(0);
  out.size(0);
  out.end_values();
  out.end_section("Entities");
}

void write_41(Output& out, const TetMesh& mesh) {
  write_entities_41(out, mesh);
  const auto start_block = [&](int dimension, int entity, int type_or_parametric, std::size_t n) {
    for (const int v : {dimension, entity, type_or_parametric}) out.integer(v);
    out.size(n);
    out.end_values();
  };

  out.text("$Nodes\n");
  write_totals(out, 1, mesh.nodes.size());
  start_block(3, 1, 0, mesh.nodes.size());
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    out.size(i + 1);
    out.end_values();
  }
  for (const Vec3d& p : mesh.nodes) {
    out.point(p);
    out.end_values();
  }
  out.end_section("Nodes");

  out.text("$Elements\n");
  const auto n_set = static_cast<std::size_t>(
      std::count_if(mesh.node_sets.begin(), mesh.node_sets.end(),
                    [](const auto& named) { return !named.second.empty(); }));
  write_totals(out, n_set + 1, count_set_entries(mesh) + mesh.tets.size());
  std::size_t element = 0;
  int set = 0;
  for (const auto& [name, nodes] : mesh.node_sets) {
    ++set;
    if (nodes.empty()) continue;
    start_block(0, set, gmsh::kPoint, nodes.size());
    for (const std::int32_t node : nodes) {
      out.size(++element);
      out.size(static_cast<std::size_t>(node) + 1);
      out.end_values();
    }
  }
  start_block(3, 1, gmsh::kTetrahedron, mesh.tets.size());
  for (const auto& t : mesh.tets) {
    out.size(++element);
    for (const std::int32_t node : t) out.size(static_cast<std::size_t>(node) + 1);
    out.end_values();
  }
  out.end_section("Elements");
}

}  // namespace

void write_gmsh(const TetMesh& mesh, const std::string& path, int version, bool binary) {
  require(version == 22 || version == 41, "version", version, "22 or 41", "");
  for (const auto& [name, nodes] : mesh.node_sets) {
    if (name.empty() || name.find_first_of("\"\r\n") != std::string::npos) {
      throw_bad_value("node set's name", name, "text without quotes and line ends", "");
    }
  }
  Output out(binary);
  write_format(out, version == 22 ? "2.2" : "4.1");
  write_names(out, mesh);
  (version == 22 ? write_22 : write_41)(out, mesh);

  std::ofstream file(path, std::ios::binary);
  if (!file) throw InputError(path + ": cannot be opened for writing");
  file.write(out.bytes().data(), static_cast<std::streamsize>(out.bytes().size()));
  file.close();
  if (!file) throw RuntimeError(path + ": writing failed (disk full?)");
}

}  // namespace nodia
