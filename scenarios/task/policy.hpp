/// The key `task.policy`: the source of actions.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "kernels/core/words.hpp"

namespace nodia {

enum class PolicyKind : std::uint8_t {
  script,        ///< follows the scene's paths
  python_class,  ///< class in a Python file
  log            ///< file of actions over time, see read_action_log()
};

constexpr auto words_of(PolicyKind) {
  return std::array{Word{PolicyKind::script, "script"}, Word{PolicyKind::python_class, "class"},
                    Word{PolicyKind::log, "log"}};
}

struct Policy {
  PolicyKind kind = PolicyKind::script;
  std::string file;        ///< file of the class or the log; empty for a script
  std::string class_name;  ///< empty unless the key names a class
};

/// Parses the value of `task.policy`: `script`, `FILE.py:CLASS` or the file of a log. Does not
/// check that the file exists.
Policy parse_policy(const std::string& words);

}  // namespace nodia
