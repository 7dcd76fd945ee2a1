/// A range of consecutive nodes.
#pragma once

#include <cstdint>

namespace nodia {

struct NodeRange {
  std::int32_t begin = 0, end = 0;
};

}  // namespace nodia
