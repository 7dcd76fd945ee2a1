/// Which rows of an environment the parts of W on bodies take.
#pragma once

#include <vector>

#include "host/problem/contact_problem.hpp"

namespace nodia {

/// Calls f(body) for the environment's bodies, rows counted over all environments.
/// @param of_kind  bool of_kind(BodyKind): which bodies
template <class Kind, class F>
void for_bodies(const ContactProblem& problem, int e, const Kind& of_kind, const F& f) {
  for (Body body : problem.topology[e]->bodies) {
    if (!of_kind(body.kind)) continue;
    body.first_row += problem.env_node_begin[e];
    f(body);
  }
}

inline bool is_chain(BodyKind kind) {
  return kind == BodyKind::chain;
}

}  // namespace nodia
