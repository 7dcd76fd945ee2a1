#include "host/exchange/read_problem.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "host/exchange/fclib.hpp"
#include "host/exchange/siconos_text.hpp"
#include "host/problem/hdf5.hpp"
#include "host/problem/survives_in_child.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr std::string_view kHdf5Mark = "\x89HDF\r\n\x1a\n";
constexpr std::uintmax_t kMaxTextBytes = std::uintmax_t{1} << 32;

/// Rejects other files: a pipe would block, and a device has no end.
void require_regular(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw InputError(fmt::format("{}: no such file", path));
  if (!std::filesystem::is_regular_file(status))
    throw InputError(fmt::format("{}: is not a regular file", path));
}

std::string read_text(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) throw InputError(fmt::format("{}: cannot be read ({})", path, error.message()));
  if (size > kMaxTextBytes)
    throw InputError(fmt::format("{}: {} bytes (must be at most {})", path, size, kMaxTextBytes));
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw InputError(fmt::format("{}: cannot be read", path));
  return std::move(text).str();
}

bool is_hdf5(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string start(kHdf5Mark.size(), '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  return stream && start == kHdf5Mark;
}

bool is_fclib(const std::string& path) {
  const hdf5::Handle file = hdf5::open_file(path);
  return H5Lexists(file.id(), "fclib_global", H5P_DEFAULT) > 0 ||
         H5Lexists(file.id(), "fclib_local", H5P_DEFAULT) > 0;
}

}  // namespace

AnyProblem read_problem(const std::string& path) {
  require_regular(path);
  if (!is_hdf5(path)) {
    const std::string text = read_text(path);
    if (text.find('\0') != std::string::npos)
      throw InputError(
          fmt::format("{}: neither text nor HDF5 (must be a .dat file of Siconos, an HDF5 file of "
                      "fclib or a .nodia.h5)",
                      path));
    return read_siconos_text(text, path);
  }
  // HDF5 reads beyond its buffers in damaged files, and files from other sources are not checked.
  if (!survives_in_child([&] {
        if (is_fclib(path)) read_fclib(path);
      }))
    throw InputError(fmt::format("{}: damaged (HDF5 crashes on it)", path));
  if (is_fclib(path)) return read_fclib(path);
  OwnProblem own;
  own.problem = load_problem(path, &own.warm);
  own.problem.validate();
  return own;
}

}  // namespace nodia
