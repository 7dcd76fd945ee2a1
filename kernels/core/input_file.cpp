#include "kernels/core/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "kernels/core/error.hpp"

namespace nodia {

namespace fs = std::filesystem;

void require_readable_file(const std::string& path, const std::string& rule) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status))
    throw InputError(path +
                     ": no such file (check the name; a scenario's paths start from its folder)");
  if (fs::is_directory(status))
    throw InputError(fmt::format("{}: is a folder (must be {})", path, rule));
  if (!fs::is_regular_file(status)) throw InputError(path + ": is not a regular file");
  if (!std::ifstream(path, std::ios::binary))
    throw InputError(path + ": cannot be opened for reading");
  if (fs::file_size(path, error) == 0)
    throw InputError(fmt::format("{}: is empty (must be {})", path, rule));
}

std::string lower_extension(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::string printable(std::string_view text, std::size_t max_length) {
  std::string result(text.substr(0, max_length));
  for (char& c : result)
    if (c < ' ' || c > '~') c = '?';
  if (text.size() > max_length) result += "...";
  return result;
}

}  // namespace nodia
