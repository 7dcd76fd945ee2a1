/// Keys of the tolerance of a force: relative, or in newtons.
#pragma once

#include "scenarios/format/visitor.hpp"

namespace nodia {

template <class Check>
void visit_tolerance(DocumentVisitor& v, Check& c, const char* of) {
  const auto positive = [&](const Key& key, double& value) {
    v.real(key, value, Range::positive());
  };
  v.optional({"relative_tolerance", of, "try 0.01"}, c.relative_tolerance, positive);
  v.optional({"tolerance_N", "[N]", "try 0.01"}, c.tolerance_N, positive);
}

}  // namespace nodia
