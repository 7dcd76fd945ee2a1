/// Which rows of an environment the parts of W on bodies take.
#pragma once

#include "host/problem/contact_problem.hpp"

namespace nodia {

constexpr bool is_chain(BodyKind kind) {
  return kind == BodyKind::chain;
}

/// Calls f(body) for the bodies of an environment that takes(kind) names, ascending; their rows are
/// counted over all environments.
template <class Takes, class F>
void for_bodies(const ContactProblem& problem, int e, const Takes& takes, const F& f) {
  for (Body body : problem.topology.at(e)->bodies) {
    if (!takes(body.kind)) continue;
    body.first_row += problem.env_node_begin[e];
    f(body);
  }
}

}  // namespace nodia
