#include "fem/mesh/read_tet_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "fem/mesh/gmsh.hpp"
#include "fem/mesh/hint_to_convert.hpp"
#include "fem/mesh/read_vtk.hpp"
#include "fem/mesh/repair_tets.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/input_file.hpp"

namespace nodia {
namespace {

/// A command that makes a file that nodia reads of one in another format; empty for unknown
/// formats.
std::string conversion_of(const std::string& path) {
  const std::string format = lower_extension(path);
  const std::filesystem::path file = std::filesystem::path(path).filename();
  const std::string stem = file.stem().string();
  const auto is_one_of = [&](std::initializer_list<const char*> formats) {
    return std::find(formats.begin(), formats.end(), format) != formats.end();
  };
  if (is_one_of({".inp", ".mesh", ".med", ".xdmf", ".vol", ".bdf", ".nas", ".e", ".exo", ".node",
                 ".ele"}))
    return hint_to_convert(path);
  if (is_one_of({".stl", ".obj", ".ply", ".off"}))
    return fmt::format(
        "{0} is a surface: fill it with tetrahedra, by a file part.geo with `Merge \"{0}\"; "
        "Surface Loop(1) = {{1}}; Volume(1) = {{1}};` and gmsh -3 part.geo -o {1}.msh",
        file.string(), stem);
  if (is_one_of({".geo", ".step", ".stp", ".brep", ".iges", ".igs"}))
    return fmt::format("mesh it: gmsh -3 -order 1 {} -o {}.msh", file.string(), stem);
  return "";
}

TetMesh read_by_format(const std::string& path, std::string* notice) {
  const std::string format = lower_extension(path);
  if (format == ".vtk" || format == ".vtu") return read_vtk(path, notice);
  require_readable_file(path, "a tetrahedral mesh: .msh, .vtk or .vtu");
  if (const std::string conversion = conversion_of(path); !conversion.empty())
    throw InputError(
        fmt::format("{}: format '{}' (must be .msh, .vtk or .vtu; {})", path, format, conversion));
  return read_gmsh(path, notice);
}

}  // namespace

TetMesh read_tet_mesh(const std::string& path, std::string* notice) {
  std::string read_notice;
  TetMesh mesh = read_by_format(path, &read_notice);
  const std::string repairs = repair_tets(&mesh);
  if (!repairs.empty())
    read_notice = read_notice.empty() ? path + ": " + repairs : read_notice + "; " + repairs;
  if (notice) *notice = read_notice;
  return mesh;
}

}  // namespace nodia
