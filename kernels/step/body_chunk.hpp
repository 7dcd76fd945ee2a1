/// Chunks of soft bodies, one per block of lanes.
#pragma once

#include "kernels/step/soft_contacts.hpp"

namespace nodia {

/// At most kBlockLanes consecutive nodes of one body.
struct BodyChunk {
  std::int32_t body = 0;
  NodeRange nodes;  ///< empty if the chunk belongs to no body

  /// First chunk of a body. Chunks of different bodies are distinct and below body_chunk_count();
  /// some chunks belong to no body.
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
