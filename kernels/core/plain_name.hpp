/// Rule for the names of scenarios, objects, links and joints, which terminals and web pages show.
#pragma once

#include <string_view>

namespace nodia {

/// True for UTF-8 text without control characters (U+0000 to U+001F, U+007F to U+009F) and `<`.
bool is_plain_name(std::string_view name);

inline constexpr const char* kPlainName = "without control characters and <";

}  // namespace nodia
