#include "host/collision/bounds_tree.hpp"

#include <numeric>
#include <tuple>

namespace nodia {
namespace {

constexpr std::int32_t kLeafSize = 4;

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
  if (end - begin <= kLeafSize) {
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

void BoundsTree::refit(std::span<const Bounds> boxes) {
  for (std::size_t place = 0; place < item_.size(); ++place) {
    box_[place] = boxes[static_cast<std::size_t>(item_[place])];
  }
  // Children come after their parent.
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
