/// Checks files before they are read.
#pragma once

#include <string>
#include <string_view>

namespace nodia {

/// Throws InputError with the path and the reason unless the path is a regular file that can be
/// read and is not empty.
/// @param rule  what the file must be, for messages: "a .msh file"
void require_readable_file(const std::string& path, const std::string& rule);

/// Extension in lower case, including its dot.
std::string lower_extension(const std::string& path);

/// Text of another program or of a file for messages: one line of at most `max_length` characters,
/// with question marks for bytes that are not printable ASCII.
std::string printable(std::string_view text, std::size_t max_length = 200);

}  // namespace nodia
