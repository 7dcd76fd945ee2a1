/// External forces of a scenario.
#pragma once

#include "host/scene/external_force.hpp"
#include "host/scene/keys.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

inline void visit_keys(DocumentVisitor& v, ExternalForceDescription& p) {
  v.text({"body", "name of a body, a cable, a compound or a robot", "", true}, p.body);
  v.text({"link", "of a robot: which is pushed"}, p.link);
  v.vector({"force_N",
            "in all, world axes: spread by mass over a soft body or a cable, at the centre of mass "
            "of a rigid body, a compound or a link [N]",
            "", true},
           p.force_N, Range::any());
  visit_span(v, p.from_s, p.duration_s);
}

}  // namespace nodia
