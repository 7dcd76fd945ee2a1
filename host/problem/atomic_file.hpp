/// Replacing a file at once.
#pragma once

#include <string>
#include <string_view>

namespace nodia {

/// Writes `path`.tmp, syncs it, renames it to `path` and syncs the folder: whatever happens, `path`
/// is the old file or the whole new one. @throws RuntimeError naming the file and the cause; the
/// temporary file is removed then
void replace_file(const std::string& path, std::string_view bytes);
/// The same by a temporary name of the caller's, in the same folder.
void replace_file(const std::string& path, std::string_view bytes, const std::string& temporary);

}  // namespace nodia
