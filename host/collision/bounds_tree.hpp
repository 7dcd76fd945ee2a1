/// Tree of boxes over moving primitives; built once, refitted in each step.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/collision/bounds.hpp"

namespace nodia {

/// A primitive has an index in the given boxes, and a position in the order of the leaves. Queries
/// visit positions in an order that depends only on the boxes.
class BoundsTree {
 public:
  BoundsTree() = default;
  /// @param boxes  any number; queries never find empty boxes
  explicit BoundsTree(std::span<const Bounds> boxes);

  /// Updates the boxes of the same primitives. Allocates nothing.
  /// @param boxes  as many as at the construction
  void refit(std::span<const Bounds> boxes);

  int size() const { return static_cast<int>(item_.size()); }
  std::int32_t item(std::int32_t place) const { return item_[static_cast<std::size_t>(place)]; }
  /// Box around all primitives; empty if there are none.
  Bounds bounds() const { return nodes_.empty() ? Bounds{} : nodes_.front().box; }

  /// List of the root; empty if the tree is empty.
  std::span<const std::int32_t> root() const {
    static constexpr std::int32_t kRoot = 0;
    return {&kRoot, nodes_.empty() ? std::size_t{0} : 1};
  }

  /// Calls visit(position) for every primitive whose box overlaps `box`.
  template <class Visit>
  void for_each_overlap(const Bounds& box, const Visit& visit) const {
    for_each_overlap(box, root(), visit);
  }
  /// Calls visit(position) for the overlapping primitives below the given nodes.
  template <class Visit>
  void for_each_overlap(const Bounds& box, std::span<const std::int32_t> nodes,
                        const Visit& visit) const;

  /// Calls visit(position, other_position) for all pairs of primitives whose boxes overlap, with
  /// the boxes of this tree enlarged by `reach` [m]. For a tree with itself, the result contains
  /// every pair in both orders, and each primitive with itself.
  template <class Visit>
  void for_each_overlap(const BoundsTree& other, double reach, const Visit& visit) const;

  struct Nearest {
    double squared_distance = 0;  ///< [m^2]
    std::int32_t place = -1;      ///< -1: none within the bound
  };
  /// Returns the primitive closest to p among those closer than `bound`, independent of the tree.
  /// Equally close primitives: the lowest index, unless they are as far as the bound.
  /// @param bound     result if no primitive is closer
  /// @param distance  squared distance of p to the primitive at a position [m^2], at least that to
  ///                  its box despite rounding; infinite or NaN: skip the primitive
  template <class Distance>
  Nearest nearest(Vec3d p, Nearest bound, const Distance& distance) const {
    return nearest(p, bound, root(), distance);
  }
  /// Returns the closest primitive below the given nodes.
  template <class Distance>
  Nearest nearest(Vec3d p, Nearest bound, std::span<const std::int32_t> nodes,
                  const Distance& distance) const;

  /// Lists of nodes that cover all primitives except the omitted ones. An omitted primitive may be
  /// covered if it shares a leaf with others.
  struct Cuts {
    std::vector<std::int32_t> begin{0}, node;

    std::span<const std::int32_t> of(std::int32_t list) const {
      const std::int32_t* first = node.data();
      return {first + begin[static_cast<std::size_t>(list)],
              first + begin[static_cast<std::size_t>(list) + 1]};
    }
  };
  /// @param left_out_begin, left_out  omitted primitives per list, ascending
  Cuts cuts(std::span<const std::int32_t> left_out_begin,
            std::span<const std::int32_t> left_out) const;

 private:
  static constexpr int kMaxDepth = 64;  // medians halve the count: 2^31 primitives need 31 levels

  /// A leaf holds the positions [first, first + count). An inner node (count 0) has its children at
  /// the next index and at `first`.
  struct Node {
    Bounds box;
    std::int32_t first = 0, count = 0;
  };

  void build(std::span<const Bounds> boxes, std::int32_t begin, std::int32_t end);

  std::vector<std::int32_t> item_;
  std::vector<Bounds> box_;  ///< by position
  std::vector<Node> nodes_;
};

template <class Visit>
void BoundsTree::for_each_overlap(const Bounds& box, std::span<const std::int32_t> nodes,
                                  const Visit& visit) const {
  std::array<std::int32_t, kMaxDepth> stack;
  std::size_t depth = 0, next = 0;
  while (depth > 0 || next < nodes.size()) {
    if (depth == 0) stack[depth++] = nodes[next++];
    const std::int32_t index = stack[--depth];
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (!node.box.overlaps(box)) continue;
    if (node.count == 0) {
      stack[depth++] = node.first;
      stack[depth++] = index + 1;
      continue;
    }
    for (std::int32_t place = node.first; place < node.first + node.count; ++place) {
      if (box_[static_cast<std::size_t>(place)].overlaps(box)) visit(place);
    }
  }
}

template <class Visit>
void BoundsTree::for_each_overlap(const BoundsTree& other, double reach, const Visit& visit) const {
  if (nodes_.empty() || other.nodes_.empty()) return;
  std::array<std::array<std::int32_t, 2>, 2 * kMaxDepth> stack;
  std::size_t depth = 0;
  stack[depth++] = {0, 0};
  while (depth > 0) {
    const auto [i, j] = stack[--depth];
    const Node& a = nodes_[static_cast<std::size_t>(i)];
    const Node& b = other.nodes_[static_cast<std::size_t>(j)];
    if (!a.box.grown(reach).overlaps(b.box)) continue;
    if (a.count == 0 && (b.count > 0 || norm(a.box.hi - a.box.lo) >= norm(b.box.hi - b.box.lo))) {
      stack[depth++] = {a.first, j};
      stack[depth++] = {i + 1, j};
    } else if (b.count == 0) {
      stack[depth++] = {i, b.first};
      stack[depth++] = {i, j + 1};
    } else {
      for (std::int32_t p = a.first; p < a.first + a.count; ++p) {
        const Bounds grown = box_[static_cast<std::size_t>(p)].grown(reach);
        for (std::int32_t q = b.first; q < b.first + b.count; ++q) {
          if (grown.overlaps(other.box_[static_cast<std::size_t>(q)])) visit(p, q);
        }
      }
    }
  }
}

template <class Distance>
BoundsTree::Nearest BoundsTree::nearest(Vec3d p, Nearest bound, std::span<const std::int32_t> nodes,
                                        const Distance& distance) const {
  struct Step {
    std::int32_t node;
    double squared_distance;
  };
  Nearest best = bound;
  std::array<Step, kMaxDepth> stack;
  std::size_t depth = 0, next = 0;
  while (depth > 0 || next < nodes.size()) {
    if (depth == 0) {
      const std::int32_t start = nodes[next++];
      stack[depth++] = {start, nodes_[static_cast<std::size_t>(start)].box.squared_distance(p)};
    }
    const Step step = stack[--depth];
    if (!(step.squared_distance <= best.squared_distance)) continue;
    const Node& node = nodes_[static_cast<std::size_t>(step.node)];
    if (node.count > 0) {
      for (std::int32_t place = node.first; place < node.first + node.count; ++place) {
        const double to_box = box_[static_cast<std::size_t>(place)].squared_distance(p);
        if (!(to_box <= best.squared_distance)) continue;
        const double d2 = not_below(to_box, distance(place));
        const bool ties = d2 == best.squared_distance && best.place != bound.place &&
                          item(place) < item(best.place);
        if (d2 < best.squared_distance || ties) best = {d2, place};
      }
      continue;
    }
    const auto child = [&](std::int32_t i) {
      return Step{i, nodes_[static_cast<std::size_t>(i)].box.squared_distance(p)};
    };
    Step near = child(step.node + 1), far = child(node.first);
    if (far.squared_distance < near.squared_distance) std::swap(near, far);
    if (far.squared_distance <= best.squared_distance) stack[depth++] = far;
    if (near.squared_distance <= best.squared_distance) stack[depth++] = near;
  }
  return best;
}

}  // namespace nodia
