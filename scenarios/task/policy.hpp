/// The key `task.policy`: who acts.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "kernels/core/words.hpp"

namespace nodia {

enum class PolicyKind : std::uint8_t {
  script,        ///< the scene's paths
  python_class,  ///< a class in a file of Python
  log            ///< a file of actions over time, see read_action_log()
};

constexpr auto words_of(PolicyKind) {
  return std::array{Word{PolicyKind::script, "script"}, Word{PolicyKind::python_class, "class"},
                    Word{PolicyKind::log, "log"}};
}

struct Policy {
  PolicyKind kind = PolicyKind::script;
  std::string file;        ///< of a class or a log
  std::string class_name;  ///< empty of the others; and where it is left out behind FILE.py
};

/// `script`, `FILE.py:CLASS`, or the file of a log. What the words name need not be there.
Policy parse_policy(const std::string& words);

}  // namespace nodia
