/// Search of nodes of soft bodies near prescribed shapes.
#include "host/collision/nodes_at_shapes.hpp"

#include <algorithm>

#include "host/collision/index.hpp"
#include "host/collision/pair_search.hpp"
#include "kernels/collision/tunnelling.hpp"
#include "kernels/cpu/over_items.hpp"

namespace nodia {
void NodesAtShapes::set(const std::vector<Body>& bodies, std::vector<SurfaceNumbers> candidates) {
  candidates_ = std::move(candidates);
  soft_.clear();
  shape_.clear();
  place_.clear();
  surface_of_node_.clear();
  for (const auto& [soft, shape] : candidates_) {
    soft_.push_back(nodes_of(bodies, soft));
    shape_.push_back(shape);
    const auto n_node = at(soft_.back().end);
    if (surface_of_node_.size() < n_node) surface_of_node_.resize(n_node, -1);
    std::fill(surface_of_node_.begin() + soft_.back().begin, surface_of_node_.begin() + n_node,
              soft);
  }
  std::sort(shape_.begin(), shape_.end());
  shape_.erase(std::unique(shape_.begin(), shape_.end()), shape_.end());
  may_collide_.assign(bodies.size() * shape_.size(), 0);
  for (const auto& [soft, shape] : candidates_) {
    place_.push_back(static_cast<std::int32_t>(
        std::lower_bound(shape_.begin(), shape_.end(), shape) - shape_.begin()));
    may_collide_[at(soft) * shape_.size() + at(place_.back())] = 1;
  }
}

NodesAtShapes::SoftNodes NodesAtShapes::nodes_of(const std::vector<Body>& bodies,
                                                 std::int32_t surface) const {
  const auto& soft = std::get<SoftBody>(bodies[at(surface)]);
  return {surface, soft.first_node, soft.first_node + soft.n_node()};
}

void NodesAtShapes::poses(const std::vector<Body>& bodies, const ProximityState& state,
                          double step_s, std::vector<ObstaclePose>* out) const {
  out->clear();
  for (const std::int32_t surface : shape_) {
    const auto& body = std::get<ShapeBody>(bodies[at(surface)]);
    const std::int32_t frame = body.surface.frame;
    out->push_back({body.surface.shape, body.pose_at(state.pose[at(frame)]),
                    body.pose_at(next_of(state, frame, step_s))});
  }
}

NodesAndShapes NodesAtShapes::described(std::size_t n_surface) const {
  NodesAndShapes all;
  all.surface_of_node = surface_of_node_;
  all.shape = shape_;
  all.may_collide = may_collide_;
  all.may_collide.resize(n_surface * shape_.size());
  return all;
}

void NodesAtShapes::begin(const std::vector<Body>& bodies, const ProximityState& state,
                          DetectionReach reach, int n_thread) {
  margin_m_ = reach.margin_m;
  n_thread_ = n_thread;
  x_.resize(state.x.size());
  for_items(static_cast<int>(x_.size()), n_thread, [&](int i) { x_[at(i)] = state.x[at(i)]; });
  poses(bodies, state, reach.step_s, &pose_);
}

void NodesAtShapes::take(const std::vector<Body>& bodies, const ProximityState& state,
                         DetectionReach reach, int n_thread, std::span<const NodeAtObstacle> near,
                         std::vector<SurfacePair>* out) {
  if (candidates_.empty()) return;
  begin(bodies, state, reach, n_thread);
  std::vector<PreparedObstacle> obstacles;
  for (const ObstaclePose& pose : pose_) obstacles.push_back(prepare_obstacle(pose, 0, reach));
  hits_.resize(near.size());
  for_items(static_cast<int>(near.size()), n_thread, [&](int k) {
    const auto [node, obstacle] = near[at(k)];
    NodeHit& hit = hits_[at(k)];
    hit = hit_at(obstacles[at(obstacle)], x_[at(node)]);
    hit.node = node;
    hit.obstacle = obstacle;
  });
  add_pairs(bodies, state, out);
}

void NodesAtShapes::find(const std::vector<Body>& bodies, const ProximityState& state,
                         DetectionReach reach, int n_thread, std::vector<SurfacePair>* out) {
  if (candidates_.empty()) return;
  begin(bodies, state, reach, n_thread);
  const Vec3d* free = state.v_free.empty() ? state.v.data() : state.v_free.data();
  detection_.detect(
      pose_, {state.x.data(), state.v.data(), free, static_cast<int>(surface_of_node_.size())},
      reach, n_thread);
  hits_ = detection_.hits();
  std::erase_if(hits_, [&](const NodeHit& hit) {
    const std::int32_t soft = surface_of_node_[at(hit.node)];
    return soft < 0 || may_collide_[at(soft) * shape_.size() + at(hit.obstacle)] == 0;
  });
  add_pairs(bodies, state, out);
}

void NodesAtShapes::add_pairs(const std::vector<Body>& bodies, const ProximityState& state,
                              std::vector<SurfacePair>* out) const {
  for (const NodeHit& hit : hits_) {
    const std::int32_t soft = surface_of_node_[at(hit.node)];
    const std::int32_t surface = shape_[at(hit.obstacle)];
    const Vec3d x = state.x[at(hit.node)];
    SurfacePair& pair = out->emplace_back();
    pair.i.n_node = 1;
    pair.i.node[0] = hit.node;
    pair.i.weight[0] = 1;
    pair.i.position = x;
    pair.j = std::get<ShapeBody>(bodies[at(surface)]).body_point(x - hit.gap_m * hit.normal);
    pair.gap_m = hit.gap_m;
    pair.normal = hit.normal;
    pair.surface_velocity = hit.surface_velocity;
    pair.surface_i = soft;
    pair.surface_j = surface;
    pair.rule = PairRule::node;
    pair.feature_i = hit.node;
    pair.key = key_of(soft, surface, PairRule::node, hit.node, 0);
  }
}

void NodesAtShapes::find_overlaps(const std::vector<Body>& bodies, const ProximityState& state,
                                  std::vector<SurfaceOverlap>* out) const {
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const auto& [soft, surface] = candidates_[k];
    const auto& body = std::get<ShapeBody>(bodies[at(surface)]);
    const Pose pose = body.pose_at(state.pose[at(body.surface.frame)]);
    const double depth = max_penetration(body.surface.shape, pose, state.x.data() + soft_[k].begin,
                                         soft_[k].end - soft_[k].begin, n_thread_);
    if (depth > 0) out->push_back({soft, surface, depth});
  }
}

bool NodesAtShapes::is_in_a_pair(std::int32_t node, std::int32_t shape) const {
  const auto found =
      std::lower_bound(hits_.begin(), hits_.end(), std::pair(node, shape),
                       [](const NodeHit& hit, const std::pair<std::int32_t, std::int32_t>& key) {
                         return std::pair(hit.node, hit.obstacle) < key;
                       });
  return found != hits_.end() && found->node == node && found->obstacle == shape;
}

void NodesAtShapes::find_tunnelling(const ProximityState& end, const std::vector<double>& extent,
                                    std::vector<MissedTunnelling>* out) const {
  if (pose_.empty()) return;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const auto& [soft, surface] = candidates_[k];
    const std::int32_t place = place_[k];
    const ObstaclePose& obstacle = pose_[at(place)];
    const ShapeBounds bounds = bounds_of(obstacle.shape);
    const double small = std::min(extent[at(soft)], extent[at(surface)]);
    const auto deepest_of = [&](int i) {
      const std::int32_t node = soft_[k].begin + i;
      const double depth =
          tunnelling_depth(obstacle, bounds, x_[at(node)], end.x[at(node)], margin_m_, small);
      return depth > 0 && !is_in_a_pair(node, place) ? depth : 0.0;
    };
    const double deepest = largest_item(soft_[k].end - soft_[k].begin, n_thread_, deepest_of);
    if (deepest > 0) out->push_back({soft, surface, deepest, {}});
  }
}

}  // namespace nodia
