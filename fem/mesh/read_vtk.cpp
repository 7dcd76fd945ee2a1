#include "fem/mesh/read_vtk.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <utility>

#include "fem/mesh/child_process.hpp"
#include "fem/mesh/gmsh.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/input_file.hpp"

namespace nodia {
namespace {

constexpr std::chrono::seconds kConversionTime{300};
constexpr int kUnreadable = 2;  ///< exit code of the module

VtkReader& vtk_reader() {
  static VtkReader reader;
  return reader;
}

/// Runs nodia_tools.vtk_to_gmsh.
ChildOutput run_converter(const std::string& path) {
  const auto& [python, modules] = vtk_reader();
  if (python.empty() || modules.empty())
    throw InputError(path +
                     ": reading a VTK file needs Python, which set_vtk_reader() has not named");
  // -P: modules in the working directory, which may be a stranger's, do not run.
  const std::string script = fmt::format(
      "import sys; sys.path.insert(0, sys.argv.pop(1)); "
      "from nodia_tools.vtk_to_gmsh import main; sys.exit(main())");
  return run_child({python, "-P", "-c", script, modules, std::filesystem::absolute(path).string()},
                   kConversionTime);
}

}  // namespace

void set_vtk_reader(VtkReader reader) {
  vtk_reader() = std::move(reader);
}

TetMesh read_vtk(const std::string& path, std::string* notice) {
  require_readable_file(path, "a VTK file with an unstructured grid");
  const ChildOutput child = run_converter(path);
  if (child.end == ChildEnd::not_started)
    throw RuntimeError(fmt::format("{}: {}: cannot be started ({})", path, vtk_reader().python,
                                   std::strerror(child.code)));
  if (child.end == ChildEnd::exited && child.code == 0)
    return parse_gmsh(child.output, path, notice);
  if (child.end == ChildEnd::exited && child.code != kUnreadable)
    throw RuntimeError(
        path +
        ": reading a VTK file needs the Python package vtk (pip install 'nodia[render]'; in "
        "a clone: tools/setup.sh)");
  throw InputError(
      fmt::format("{}: not a VTK file that can be read ({})", path,
                  child.output.empty() ? "the file is damaged" : printable(child.output)));
}

}  // namespace nodia
