/// Any file ends in a mesh or in an InputError: the program nodia-read-mesh may crash, hang or run
/// out of memory without harm to this process.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <unordered_map>

#include "fem/mesh/child_process.hpp"
#include "fem/mesh/reader_program.hpp"
#include "fem/mesh/triangle_mesh.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/input_file.hpp"

namespace nodia {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kReadingTime{120};  ///< twice the CPU time that the reader may use
constexpr const char* kFormats = "'.obj', '.stl', '.dae', '.gltf' or '.glb'";

void check_file(const std::string& path) {
  require_readable_file(path, fmt::format("a mesh: {}", kFormats));
  const std::string extension = lower_extension(path);
  constexpr const char* kKnown[] = {".obj", ".stl", ".dae", ".gltf", ".glb"};
  if (std::find(std::begin(kKnown), std::end(kKnown), extension) == std::end(kKnown))
    throw_bad_value(path + ": extension", "'" + printable(extension) + "'", kFormats,
                    "convert the mesh to one of them");
}

/// Numbers of a type, one after the other in bytes.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : left_(bytes) {}

  bool has(std::uint64_t n_byte) const { return left_.size() == n_byte; }
  template <class T>
  T take() {
    T value;
    std::memcpy(&value, left_.data(), sizeof value);
    left_.remove_prefix(sizeof value);
    return value;
  }

 private:
  std::string_view left_;
};

/// Gives equal positions one index, in the order of their first appearance.
class VertexMerger {
 public:
  explicit VertexMerger(TriangleMesh* mesh) : mesh_(mesh) {}

  std::int32_t index_of(Vec3d p) {
    p = p + Vec3d{0, 0, 0};  // -0 becomes 0
    const auto [entry, is_new] =
        index_.try_emplace(p, static_cast<std::int32_t>(mesh_->vertices.size()));
    if (is_new) mesh_->vertices.push_back(p);
    return entry->second;
  }

 private:
  struct Hash {
    std::size_t operator()(Vec3d p) const {
      std::uint64_t h = 0;
      for (const double c : {p.x, p.y, p.z}) {
        h = (h ^ std::bit_cast<std::uint64_t>(c)) * 0x9E3779B97F4A7C15u;
        h ^= h >> 32;
      }
      return h;
    }
  };
  struct Equal {
    bool operator()(Vec3d a, Vec3d b) const { return a.x == b.x && a.y == b.y && a.z == b.z; }
  };

  TriangleMesh* mesh_;
  std::unordered_map<Vec3d, std::int32_t, Hash, Equal> index_;
};

/// The mesh in the output of nodia-read-mesh (tools/read_mesh/main.cpp).
TriangleMesh mesh_of(std::string_view output, const std::string& path) {
  constexpr std::size_t kHeader = 2 * sizeof(std::int64_t);
  if (output.size() < kHeader) throw RuntimeError(path + ": nodia-read-mesh wrote no mesh");
  Bytes bytes(output);
  const auto n_vertex = bytes.take<std::uint64_t>(), n_triangle = bytes.take<std::uint64_t>();
  if (n_vertex > output.size() || n_triangle > output.size() ||
      !bytes.has(n_vertex * 3 * sizeof(double) + n_triangle * 3 * sizeof(std::int32_t)))
    throw RuntimeError(path + ": nodia-read-mesh wrote an incomplete mesh");
  TriangleMesh mesh;
  VertexMerger merger(&mesh);
  std::vector<std::int32_t> merged(n_vertex);
  for (std::size_t k = 0; k < n_vertex; ++k) {
    const double x = bytes.take<double>(), y = bytes.take<double>(), z = bytes.take<double>();
    if (!is_finite(Vec3d{x, y, z}))
      throw InputError(
          fmt::format("{}: vertex {} = {} {} {} (must be finite numbers)", path, k + 1, x, y, z));
    merged[k] = merger.index_of({x, y, z});
  }
  for (std::size_t t = 0; t < n_triangle; ++t) {
    std::array<std::int32_t, 3> v{};
    for (std::int32_t& corner : v)
      corner = merged.at(static_cast<std::size_t>(bytes.take<std::int32_t>()));
    if (v[0] != v[1] && v[1] != v[2] && v[2] != v[0]) mesh.triangles.push_back(v);
  }
  if (mesh.triangles.empty())
    throw InputError(path + ": no triangles found (must be a mesh with a surface)");
  return mesh;
}

std::string reason_of(const ChildOutput& child) {
  switch (child.end) {
    case ChildEnd::exited:
      return "Assimp: " + printable(child.output);
    case ChildEnd::out_of_time:
      return fmt::format("Assimp took longer than {} s", kReadingTime.count());
    default:
      return "the file is damaged: Assimp crashed, or took longer than 60 s";
  }
}

}  // namespace

TriangleMesh read_triangle_mesh(const std::string& path, ColladaUpAxis up_axis) {
  check_file(path);
  const std::string program = reader_program();
  if (program.empty())
    throw InputError(
        "nodia-read-mesh, the program that reads meshes, is missing (it belongs beside nodia; "
        "NODIA_READ_MESH=PATH names it)");
  const ChildOutput child =
      run_child({program, fs::absolute(path).string(), name_of(up_axis)}, kReadingTime);
  if (child.end == ChildEnd::not_started)
    throw RuntimeError(
        fmt::format("nodia-read-mesh cannot be started ({})", std::strerror(child.code)));
  if (child.end == ChildEnd::exited && child.code == 0) return mesh_of(child.output, path);
  throw InputError(fmt::format("{}: cannot be read as a mesh ({})", path, reason_of(child)));
}

}  // namespace nodia
