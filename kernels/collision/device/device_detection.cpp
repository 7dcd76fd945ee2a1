#include "kernels/collision/device/device_detection.hpp"

#include <cassert>

#include "kernels/collision/slot_count.hpp"

namespace nodia {

DeviceDetection::DeviceDetection(const std::vector<Shape>& shapes, int n_node, int capacity)
    : n_node_(n_node) {
  const int n_slot = slot_count(shapes.size(), n_node);
  for (const Shape& shape : shapes) {
    const std::int32_t* n = shape.grid.n;
    const std::size_t n_sample =
        shape.kind == ShapeKind::distance_grid ? std::size_t{1} * n[0] * n[1] * n[2] : 0;
    grid_.emplace_back(shape.grid.value, n_sample);
    pose_.push_back({shape, {}, {}});
    pose_.back().shape.grid.value = grid_.back().data();
  }
  obstacle_ = DeviceBuffer<ObstaclePose>(shapes.size());
  prepared_ = DeviceBuffer<PreparedObstacle>(shapes.size());
  largest_squared_speed_ = DeviceBuffer<double>(item_count(n_node));
  flag_ = DeviceBuffer<std::uint8_t>(n_slot);
  slot_ = DeviceBuffer<std::int32_t>(n_slot);
  n_pair_ = DeviceBuffer<std::int32_t>(1);
  pair_ = DeviceBuffer<NodeHit>(capacity < 0 || capacity > n_slot ? n_slot : capacity);
  select_ = DeviceSelectFlagged(n_slot);
}

void DeviceDetection::detect(const std::vector<Pose>& now, const std::vector<Pose>& next,
                             const double* x, const double* v, const double* v_free,
                             DetectionReach reach, DeviceStream stream) {
  assert(now.size() == pose_.size() && next.size() == pose_.size());
  for (std::size_t k = 0; k < pose_.size(); ++k) {
    pose_[k].now = now[k];
    pose_[k].next = next[k];
  }
  stream_ = stream;
  obstacle_.upload(pose_, stream);
  DetectionView view;
  view.n_node = n_node_;
  view.n_obstacle = static_cast<int>(pose_.size());
  view.reach = reach;
  view.x.value = x;
  view.v.value = v;
  view.v_free.value = v_free;
  view.obstacle = obstacle_.data();
  view.largest_squared_speed = largest_squared_speed_.data();
  view.prepared = prepared_.data();
  view.flag = flag_.data();
  view.slot = slot_.data();
  view.n_pair = n_pair_.data();
  view.capacity = capacity();
  view.pair = pair_.data();
  launch(view, stream);
}

std::vector<NodeHit> DeviceDetection::download() const {
  const std::int32_t n = n_pair_.download(stream_).front();
  if (n > capacity())
    throw RuntimeError("device detection: " + std::to_string(n) + " pairs, room for " +
                       std::to_string(capacity()));
  std::vector<NodeHit> pairs(n);
  copy_to_host(pairs.data(), pair_.data(), pairs.size() * sizeof(NodeHit), stream_);
  return pairs;
}

}  // namespace nodia
