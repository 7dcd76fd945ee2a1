#include "scenarios/build/references.hpp"

#include <algorithm>

#include "kernels/core/nearest_name.hpp"

namespace nodia {

void require_known(const YamlNode& root, const std::string& path, const std::string& name,
                   const std::vector<std::string>& known, const char* what) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  refuse_value(
      nearest_node(root, path), path, what,
      known.empty() ? "there is none" : fmt::format("did you mean {}?", nearest_name(name, known)));
}

}  // namespace nodia
