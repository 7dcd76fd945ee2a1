/// Soft bodies in pieces that a block takes.
#pragma once

#include "kernels/step/soft_contacts.hpp"

namespace nodia {

/// Nodes of one body that a block takes: kBlockLanes, counted from the body's first.
struct BodyChunk {
  std::int32_t body = 0;
  NodeRange nodes;  ///< empty: the chunk is no body's

  /// Where a body's chunks begin. Those of two bodies are different ones, and below
  /// body_chunk_count(); some are no body's.
  NODIA_HD static int first(const SoftContacts& contacts, int body) {
    return contacts.body[body].begin / kBlockLanes + body;
  }
  NODIA_HD static BodyChunk of(const SoftContacts& contacts, int chunk) {
    int body = 0;
    for (int end = contacts.n_body; end - body > 1;) {
      const int middle = body + (end - body) / 2;
      if (first(contacts, middle) <= chunk)
        body = middle;
      else
        end = middle;
    }
    const NodeRange& all = contacts.body[body];
    const int begin = all.begin + (chunk - first(contacts, body)) * kBlockLanes;
    if (begin >= all.end) return {body, {}};
    return {body, {begin, all.end - begin < kBlockLanes ? all.end : begin + kBlockLanes}};
  }
};

}  // namespace nodia
