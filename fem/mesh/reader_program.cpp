#include "fem/mesh/reader_program.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>

namespace nodia {
namespace {

namespace fs = std::filesystem;

/// The program, or the shared library, that contains this code.
fs::path own_file() {
  Dl_info info{};
  void* map = nullptr;
  const bool is_known =
      dladdr1(reinterpret_cast<void*>(&reader_program), &info, &map, RTLD_DL_LINKMAP) != 0;
  const char* library = is_known ? static_cast<link_map*>(map)->l_name : "";
  std::error_code error;
  if (*library) return fs::absolute(library, error);
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) return program;
  // Without /proc, the launcher of the program sets this for its libraries.
  const char* folder = std::getenv("LD_ORIGIN_PATH");
  return fs::path(folder ? folder : ".") / "nodia";
}

}  // namespace

std::string reader_program() {
  if (const char* given = std::getenv("NODIA_READ_MESH"); given && *given) return given;
  const fs::path own = own_file();
  for (const char* folder : {".", "bin", "../bin", "../../bin"}) {
    const fs::path program = (own.parent_path() / folder / "nodia-read-mesh").lexically_normal();
    std::error_code error;
    if (fs::is_regular_file(program, error)) return program.string();
  }
  return "";
}

}  // namespace nodia
