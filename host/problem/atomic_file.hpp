/// Atomic replacement of a file.
#pragma once

#include <string>
#include <string_view>

namespace nodia {

/// Writes `path`.tmp, syncs it, renames it to `path` and syncs the folder. In any case `path` is
/// either the old file or the complete new one.
/// @throws RuntimeError with the file and the cause; the temporary file is then removed
void replace_file(const std::string& path, std::string_view bytes);
/// Replaces the file by way of a temporary name of the caller, in the same folder.
void replace_file(const std::string& path, std::string_view bytes, const std::string& temporary);

}  // namespace nodia
