#include "host/simulation/state.hpp"

namespace nodia {

void BodyLayout::add(BodyKind kind, std::int32_t n) {
  std::int32_t* count = kind == BodyKind::soft    ? &n_node_
                        : kind == BodyKind::robot ? &n_coordinate_
                                                  : &n_frame_;
  const std::int32_t n_row = kind == BodyKind::soft    ? n
                             : kind == BodyKind::robot ? (n + 2) / 3
                                                       : kLinkRows * n;
  bodies_.push_back({kind, *count, n, n_row_, n_row});
  *count += n;
  n_row_ += n_row;
}

}  // namespace nodia
