/// Input for the set-up of a preconditioner block.
#pragma once

#include "host/solvers/cond/nodalization.hpp"
#include "host/step/row_layout.hpp"

namespace nodia {

struct PartSetUp {
  const ContactProblem& problem;
  const RowLayout& rows;
  const Nodalization& nodes;
  WKind w;
  LoopRanges& ranges;
};

/// Calls f(body) for the environment's bodies, with rows counted over all environments.
/// @param of_kind  bool of_kind(BodyKind) selects bodies
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
