/// Construction and refit of the tree of boxes.
#include "host/collision/bounds_tree.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace nodia {
namespace {

constexpr std::int32_t kBoundsLeaf = 4;  ///< primitives

Vec3d doubled_centre(const Bounds& box) {
  return box.is_empty() ? Vec3d{} : box.lo + box.hi;
}

}  // namespace

BoundsTree::BoundsTree(std::span<const Bounds> boxes) {
  item_.resize(boxes.size());
  std::iota(item_.begin(), item_.end(), 0);
  if (boxes.empty()) return;
  nodes_.reserve(boxes.size());
  build(boxes, 0, static_cast<std::int32_t>(boxes.size()));
  box_.resize(boxes.size());
  refit(boxes);
}

void BoundsTree::build(std::span<const Bounds> boxes, std::int32_t begin, std::int32_t end) {
  const std::size_t self = nodes_.size();
  nodes_.emplace_back();
  if (end - begin <= kBoundsLeaf) {
    nodes_[self].first = begin;
    nodes_[self].count = end - begin;
    return;
  }
  Bounds centres;
  const auto box_of = [&](std::int32_t i) -> const Bounds& {
    return boxes[static_cast<std::size_t>(i)];
  };
  for (std::int32_t place = begin; place < end; ++place) {
    centres.add(doubled_centre(box_of(item(place))));
  }
  const Vec3d extent = centres.hi - centres.lo;
  int axis = 0;
  if (extent.y > extent[axis]) axis = 1;
  if (extent.z > extent[axis]) axis = 2;
  const std::int32_t middle = begin + (end - begin) / 2;
  std::nth_element(item_.begin() + begin, item_.begin() + middle, item_.begin() + end,
                   [&](std::int32_t s, std::int32_t t) {
                     return std::make_tuple(doubled_centre(box_of(s))[axis], s) <
                            std::make_tuple(doubled_centre(box_of(t))[axis], t);
                   });
  build(boxes, begin, middle);
  nodes_[self].first = static_cast<std::int32_t>(nodes_.size());
  build(boxes, middle, end);
}

BoundsTree::Cuts BoundsTree::cuts(std::span<const std::int32_t> left_out_begin,
                                  std::span<const std::int32_t> left_out) const {
  constexpr std::int32_t kNone = -1;
  const std::size_t n_node = nodes_.size();
  std::vector<std::int32_t> parent(n_node, kNone), leaf_of(item_.size()), last(n_node, kNone);
  for (std::size_t i = 0; i < n_node; ++i) {
    const Node& node = nodes_[i];
    const auto own = static_cast<std::int32_t>(i);
    if (node.count == 0) parent[i + 1] = parent[static_cast<std::size_t>(node.first)] = own;
    for (std::int32_t place = node.first; place < node.first + node.count; ++place)
      leaf_of[static_cast<std::size_t>(item(place))] = own;
  }
  Cuts cuts;
  std::vector<std::int32_t> stack;
  for (std::size_t list = 0; list + 1 < left_out_begin.size(); ++list) {
    const auto own =
        left_out.subspan(static_cast<std::size_t>(left_out_begin[list]),
                         static_cast<std::size_t>(left_out_begin[list + 1] - left_out_begin[list]));
    const auto has = [&](std::int32_t node) {
      return last[static_cast<std::size_t>(node)] == static_cast<std::int32_t>(list);
    };
    for (const std::int32_t i : own)
      for (std::int32_t node = leaf_of[static_cast<std::size_t>(i)]; node != kNone && !has(node);
           node = parent[static_cast<std::size_t>(node)])
        last[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(list);
    if (n_node > 0) stack.push_back(0);
    while (!stack.empty()) {
      const std::int32_t index = stack.back();
      stack.pop_back();
      const Node& node = nodes_[static_cast<std::size_t>(index)];
      if (has(index) && node.count == 0) {
        stack.insert(stack.end(), {node.first, index + 1});
        continue;
      }
      bool any = !has(index);
      for (std::int32_t place = node.first; !any && place < node.first + node.count; ++place)
        any = !std::binary_search(own.begin(), own.end(), item(place));
      if (any) cuts.node.push_back(index);
    }
    cuts.begin.push_back(static_cast<std::int32_t>(cuts.node.size()));
  }
  return cuts;
}

void BoundsTree::refit(std::span<const Bounds> boxes) {
  for (std::size_t place = 0; place < item_.size(); ++place) {
    box_[place] = boxes[static_cast<std::size_t>(item_[place])];
  }
  // Children have larger indices than their parent.
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (node.count == 0) {
      node.box = nodes_[i + 1].box;
      node.box.add(nodes_[static_cast<std::size_t>(node.first)].box);
      continue;
    }
    node.box = {};
    for (std::int32_t place = node.first; place < node.first + node.count; ++place) {
      node.box.add(box_[static_cast<std::size_t>(place)]);
    }
  }
}

}  // namespace nodia
