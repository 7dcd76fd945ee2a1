#include "host/simulation/contact_finder.hpp"

#include <algorithm>

#include "host/collision/passage.hpp"
#include "host/simulation/contact_terms.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Identity of a node's contact with an obstacle over time steps.
std::uint64_t node_key(std::int32_t node, std::int32_t obstacle) {
  return (static_cast<std::uint64_t>(node) << 32) | static_cast<std::uint32_t>(obstacle);
}

/// Contact frame (n, t1, t2), t1 along the pair's axis where it has one.
Mat3d contact_frame(Vec3d n, const ContactFriction& friction) {
  const Vec3d t1 = friction.axis - dot(friction.axis, n) * n;
  const double length = norm(t1);
  if (!(length > 1e-6 * norm(friction.axis))) return frame_from_normal(n);
  const Vec3d unit = (1 / length) * t1;
  return {{n, unit, cross(n, unit)}};
}

}  // namespace

void StepContacts::clear() {
  contacts.clear();
  points.clear();
  sides.clear();
  gap_m.clear();
  surface_velocity.clear();
}

ContactFinder::ContactFinder(const Scene& scene, const BodySystem& system)
    : scene_(scene), friction_(scene) {
  for (const ObstacleDescription& obstacle : scene.obstacles)
    obstacle_shapes_.push_back(obstacle.shape);
  for (std::size_t b = 0; b < scene.soft_bodies.size(); ++b) {
    soft_node_.push_back(system.layout()[static_cast<std::int32_t>(b)].end());
    soft_of_node_.resize(static_cast<std::size_t>(soft_node_.back()), static_cast<std::int32_t>(b));
  }
  add_surfaces(scene, system);
  exclude_pairs(scene);
  const Objects objects(scene);
  for (const SceneSurface& surface : surfaces_.all()) {
    extent_.push_back(surfaces_.search().smallest_extent(static_cast<int>(object_.size())));
    object_.push_back(objects.number(surface.id));
  }
}

void ContactFinder::add_surfaces(const Scene& scene, const BodySystem& system) {
  system.add_surfaces(&surfaces_);
  first_obstacle_frame_ = system.n_frame();
  first_obstacle_surface_ = surfaces_.all().size();
  for (std::size_t o = 0; o < scene.obstacles.size(); ++o) {
    ShapeSurface shape;
    shape.shape = scene.obstacles[o].shape;
    shape.frame = first_obstacle_frame_ + static_cast<std::int32_t>(o);
    shape.prescribed = true;
    set_points(scene.obstacles[o].grid, &shape);
    const ObjectId id{ObjectKind::obstacle, static_cast<std::int32_t>(o), 0};
    surfaces_.add_shape({id, surface_material(scene.obstacles[o])}, shape);
  }
  const std::size_t n_frame =
      static_cast<std::size_t>(first_obstacle_frame_) + scene.obstacles.size();
  pose_.resize(n_frame);
  twist_.resize(n_frame);
  twist_free_.resize(n_frame);
}

void ContactFinder::exclude_pairs(const Scene& scene) {
  const std::vector<SceneSurface>& surfaces = surfaces_.all();
  ProximitySearch& search = surfaces_.search();
  // Nodes at obstacles have a search of their own; shapes of one object do not touch each other,
  // nor a robot what it holds.
  for (std::size_t a = 0; a < scene.soft_bodies.size(); ++a)
    for (std::size_t o = first_obstacle_surface_; o < surfaces.size(); ++o)
      search.exclude(static_cast<int>(a), static_cast<int>(o));
  for (std::size_t a = 0; a < first_obstacle_surface_; ++a)
    for (std::size_t b = a + 1;
         b < first_obstacle_surface_ && same_object(surfaces[a].id, surfaces[b].id); ++b)
      search.exclude(static_cast<int>(a), static_cast<int>(b));
  const auto is_link = [&](std::size_t a) { return surfaces[a].id.kind == ObjectKind::robot; };
  for (std::size_t a = 0; a < first_obstacle_surface_; ++a) {
    const SceneSurface& link = surfaces[a];
    if (!is_link(a)) continue;
    const RobotSceneDescription& robot = scene.robots[static_cast<std::size_t>(link.id.index)];
    const std::string& link_name = robot.robot.links[static_cast<std::size_t>(link.id.link)].name;
    const auto exclude_held = [&](const std::string& holder, const std::string& holder_link,
                                  const std::string& body) {
      if (holder != robot.name || holder_link != link_name) return;
      for (std::size_t b = 0; b < first_obstacle_surface_; ++b)
        if (!is_link(b) && surfaces[b].material.name == body)
          search.exclude(static_cast<int>(a), static_cast<int>(b));
    };
    for (const MountDescription& mount : scene.mounts)
      exclude_held(mount.robot, mount.link, mount.body);
    for (const AttachmentDescription& attachment : scene.attachments)
      exclude_held(attachment.robot, attachment.link, attachment.body);
  }
}

void ContactFinder::find(const State& state, const BodySystem& system,
                         const std::vector<Vec3d>& v_free, int n_thread, StepContacts* out) {
  out->clear();
  if (!scene_.soft_bodies.empty() && !scene_.obstacles.empty())
    find_nodes_at_obstacles(state, v_free, n_thread, out);
  if (surfaces_.needs_search()) find_bodies(state, system, v_free, n_thread, out);
}

/// Nodes are contact nodes already: every pair becomes an S-contact with the obstacle's surface.
void ContactFinder::find_nodes_at_obstacles(const State& state, const std::vector<Vec3d>& v_free,
                                            int n_thread, StepContacts* out) {
  x_ = state.x;
  obstacle_.clear();
  for (std::size_t o = 0; o < scene_.obstacles.size(); ++o) {
    const Path& path = scene_.obstacles[o].path;
    obstacle_.push_back(
        {obstacle_shapes_[o], path.at(state.time_s), path.at(state.time_s + scene_.time.step_s)});
  }
  nodes_at_obstacles_.detect(
      obstacle_, {state.x.data(), state.v.data(), v_free.data(), static_cast<int>(state.x.size())},
      {scene_.contact.margin_m, scene_.time.step_s}, n_thread);
  for (const ProximityPair& pair : nodes_at_obstacles_.pairs()) {
    const std::int32_t body = soft_of_node_[pair.node];
    const ContactFriction mu =
        friction(static_cast<std::size_t>(body),
                 first_obstacle_surface_ + static_cast<std::size_t>(pair.obstacle));
    Contact<double> c;
    c.node_i = pair.node;
    c.R = contact_frame(pair.normal, mu);
    c.phi = contact_phi({pair.gap_m, state.v[pair.node], pair.surface_velocity}, c.R,
                        scene_.obstacles[pair.obstacle].restitution, scene_.time, scene_.contact);
    c.mu1 = mu.friction_1;
    c.mu2 = mu.friction_2;
    c.key = node_key(pair.node, pair.obstacle);
    out->contacts.push_back(c);
    out->sides.push_back({{ObjectKind::soft_body, body, 0},
                          {ObjectKind::obstacle, pair.obstacle, 0},
                          state.x[pair.node],
                          {},
                          state.x[pair.node] - pair.gap_m * pair.normal});
    out->gap_m.push_back(pair.gap_m);
    out->surface_velocity.push_back(pair.surface_velocity);
  }
}

/// Poses of all frames in a state; system.update_kinematics(state).
void ContactFinder::set_poses(const State& state, const BodySystem& system) {
  system.poses(state, pose_.data());
  for (std::size_t o = 0; o < scene_.obstacles.size(); ++o)
    pose_[static_cast<std::size_t>(first_obstacle_frame_) + o] =
        scene_.obstacles[o].path.at(state.time_s);
}

void ContactFinder::set_twists(const State& state, const BodySystem& system,
                               const std::vector<Vec3d>& v_free) {
  system.twists(pose_.data(), state.v, twist_.data());
  system.twists(pose_.data(), v_free, twist_free_.data());
  const double t = scene_.time.step_s;
  for (std::size_t o = 0; o < scene_.obstacles.size(); ++o) {
    const std::size_t f = static_cast<std::size_t>(first_obstacle_frame_) + o;
    const Pose &now = pose_[f], next = scene_.obstacles[o].path.at(state.time_s + t);
    twist_[f] = {(1 / t) * (next.position - now.position),
                 (1 / t) * rotation_log(next.rotation * transpose(now.rotation))};
    twist_free_[f] = twist_[f];
  }
}

ContactFinder::Side ContactFinder::side_of(const BodyPoint& point, const SceneSurface& surface,
                                           const State& state, const BodySystem& system,
                                           ContactPoints* points) const {
  const std::int32_t n_row = system.layout().n_row();
  if (point.kind == PointKind::nodes) {
    if (point.n_node == 1) return {point.node[0], state.v[point.node[0]]};
    // Rows of a point ascend.
    int order[3] = {0, 1, 2};
    for (int k = 1; k < point.n_node; ++k)
      for (int l = k; l > 0 && point.node[order[l]] < point.node[order[l - 1]]; --l)
        std::swap(order[l], order[l - 1]);
    for (int k = 0; k < point.n_node; ++k)
      points->add(point.node[order[k]], point.weight[order[k]] * Mat3d::identity());
  } else if (point.frame >= first_obstacle_frame_) {
    const std::size_t f = static_cast<std::size_t>(point.frame);
    return {kWorld, twist_[f].velocity_at(point.position, pose_[f].position)};
  } else if (surface.nodal) {
    const std::int32_t row = system.layout().frame_row(point.frame);
    return {row, state.v[static_cast<std::size_t>(row)]};
  } else {
    system.add_point(state, point.frame, point.position, points);
  }
  const int k = points->finish();
  return {n_row + k, points->velocity(k, state.v.data())};
}

void ContactFinder::find_bodies(const State& state, const BodySystem& system,
                                const std::vector<Vec3d>& v_free, int n_thread, StepContacts* out) {
  set_poses(state, system);
  set_twists(state, system, v_free);
  const auto of_nodes = [&](const std::vector<Vec3d>& v) {
    return std::span<const Vec3d>(v.data(), state.x.size());
  };
  surfaces_.search().find(
      {state.x, of_nodes(state.v), pose_, twist_, of_nodes(v_free), twist_free_},
      scene_.contact.margin_m, scene_.time.step_s, n_thread, &body_pairs_);
  for (const SurfacePair& pair : body_pairs_) {
    const auto s_i = static_cast<std::size_t>(pair.surface_i),
               s_j = static_cast<std::size_t>(pair.surface_j);
    const bool world_i = pair.i.kind == PointKind::frame && pair.i.frame >= first_obstacle_frame_;
    // The world is side j.
    const SceneSurface& surface_i = surfaces_.all()[world_i ? s_j : s_i];
    const SceneSurface& surface_j = surfaces_.all()[world_i ? s_i : s_j];
    const BodyPoint& point_i = world_i ? pair.j : pair.i;
    const Side i = side_of(point_i, surface_i, state, system, &out->points);
    const BodyPoint& point_j = world_i ? pair.i : pair.j;
    const Side j = side_of(point_j, surface_j, state, system, &out->points);
    const ContactFriction mu = friction(s_i, s_j);
    Contact<double> c;
    c.node_i = i.side;
    c.node_j = j.side;
    c.R = contact_frame(world_i ? -pair.normal : pair.normal, mu);
    ContactMotion motion;
    motion.gap_m = pair.gap_m;
    if (j.side == kWorld) {
      motion.velocity = i.velocity;
      motion.surface_velocity = j.velocity;
    } else {
      motion.velocity = i.velocity - j.velocity;
    }
    c.phi = contact_phi(motion, c.R,
                        std::max(surface_i.material.restitution, surface_j.material.restitution),
                        scene_.time, scene_.contact);
    c.mu1 = mu.friction_1;
    c.mu2 = mu.friction_2;
    c.key = pair.key;
    out->contacts.push_back(c);
    const auto id = [](const SceneSurface& surface, const BodyPoint& point) {
      ObjectId s = surface.id;
      if (s.kind == ObjectKind::cable) s.link = point.frame - surface.first_frame;
      return s;
    };
    out->sides.push_back(
        {id(surface_i, point_i), id(surface_j, point_j), point_i.position, {}, point_j.position});
    out->gap_m.push_back(pair.gap_m);
    out->surface_velocity.push_back(motion.surface_velocity);
  }
}

ProximityState ContactFinder::at_rest(const State& state) const {
  return {state.x, {state.v.data(), state.x.size()}, pose_, twist_};
}

ObjectOverlap ContactFinder::overlap(std::int32_t a, std::int32_t b, double depth_m) const {
  const auto s_a = static_cast<std::size_t>(a), s_b = static_cast<std::size_t>(b);
  return {object_[s_a], object_[s_b], depth_m, depth_m / std::min(extent_[s_a], extent_[s_b])};
}

ObjectOverlap ContactFinder::overlap(const ObjectId& a, const ObjectId& b, double depth_m) const {
  const auto surface_of = [&](const ObjectId& id) {
    const auto is_it = [&](const SceneSurface& s) {
      return s.id.kind == id.kind && s.id.index == id.index &&
             (id.kind != ObjectKind::robot || s.id.link == id.link);
    };
    const std::vector<SceneSurface>& all = surfaces_.all();
    return static_cast<std::int32_t>(std::find_if(all.begin(), all.end(), is_it) - all.begin());
  };
  return overlap(surface_of(a), surface_of(b), depth_m);
}

void ContactFinder::add_node_overlaps(const State& state, std::vector<ObjectOverlap>* out) const {
  for (std::size_t o = 0; o < scene_.obstacles.size(); ++o) {
    const Pose pose = scene_.obstacles[o].path.at(state.time_s);
    for (std::size_t b = 0; b < scene_.soft_bodies.size(); ++b) {
      const std::int32_t first = soft_node_[b], n = soft_node_[b + 1] - first;
      const double depth = max_penetration(obstacle_shapes_[o], pose, state.x.data() + first, n);
      if (depth > 0)
        out->push_back(overlap(static_cast<std::int32_t>(b),
                               static_cast<std::int32_t>(first_obstacle_surface_ + o), depth));
    }
  }
}

void ContactFinder::find_overlaps(const State& state, const BodySystem& system,
                                  std::vector<ObjectOverlap>* out) {
  out->clear();
  add_node_overlaps(state, out);
  if (!surfaces_.needs_search()) return;
  set_poses(state, system);
  surfaces_.search().find_overlaps(at_rest(state), false, &surface_overlaps_);
  for (const SurfaceOverlap& o : surface_overlaps_)
    out->push_back(overlap(o.surface_i, o.surface_j, o.depth_m));
}

void ContactFinder::judge(const State& end, const BodySystem& system, EndOfStep* out) {
  out->overlaps.clear();
  out->missed.clear();
  add_node_overlaps(end, &out->overlaps);
  add_node_passages(end, &out->missed);
  if (!surfaces_.needs_search()) return;
  set_poses(end, system);
  surfaces_.search().find_passages(at_rest(end), &passages_);
  for (const MissedPassage& p : passages_)
    out->missed.push_back(overlap(p.surface_i, p.surface_j, p.depth_m));
  surfaces_.search().find_overlaps(at_rest(end), true, &surface_overlaps_);
  for (const SurfaceOverlap& o : surface_overlaps_)
    out->overlaps.push_back(overlap(o.surface_i, o.surface_j, o.depth_m));
}

/// Nodes that came through an obstacle: as ProximitySearch::find_passages.
void ContactFinder::add_node_passages(const State& end, std::vector<ObjectOverlap>* out) const {
  const double margin = scene_.contact.margin_m;
  const std::vector<ProximityPair>& pairs = nodes_at_obstacles_.pairs();
  const auto is_in_a_pair = [&](std::int32_t node, std::int32_t obstacle) {
    const auto found = std::lower_bound(
        pairs.begin(), pairs.end(), std::pair(node, obstacle),
        [](const ProximityPair& p, const std::pair<std::int32_t, std::int32_t>& key) {
          return std::pair(p.node, p.obstacle) < key;
        });
    return found != pairs.end() && found->node == node && found->obstacle == obstacle;
  };
  for (std::size_t o = 0; o < obstacle_.size(); ++o) {
    const ObstaclePose& obstacle = obstacle_[o];
    const ShapeBounds bounds = bounds_of(obstacle.shape);
    const auto distance = [&](Vec3d p) { return signed_distance(obstacle.shape, p); };
    for (std::size_t b = 0; b < scene_.soft_bodies.size(); ++b) {
      const auto surface = static_cast<std::int32_t>(first_obstacle_surface_ + o);
      double deepest = 0;
      for (std::int32_t node = soft_node_[b]; node < soft_node_[b + 1]; ++node) {
        const Vec3d from = obstacle.now.to_local(x_[node]),
                    to = obstacle.next.to_local(end.x[node]);
        const double length = norm(to - from);
        // What is in no pair was farther away than the margin.
        if (!(length > margin) || !bounds.is_near(from, length)) continue;
        const double start = distance(from).distance;
        if (!(start > 0 && start < length)) continue;
        const WayEnd way = end_of_way(from, to, distance);
        if (way.where == WayEnd::Where::outside) continue;
        const bool is_on_it =
            way.where == WayEnd::Where::inside &&
            overlap(static_cast<std::int32_t>(b), surface, way.depth_m).share <= kPassageShare;
        if (!is_on_it && !is_in_a_pair(node, static_cast<std::int32_t>(o)))
          deepest = std::max(deepest, way.depth_m);
      }
      if (deepest > 0) out->push_back(overlap(static_cast<std::int32_t>(b), surface, deepest));
    }
  }
}

}  // namespace nodia
