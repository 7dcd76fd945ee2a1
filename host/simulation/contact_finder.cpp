#include "host/simulation/contact_finder.hpp"

#include <algorithm>

#include "host/simulation/contact_terms.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Identity of a node's contact with an obstacle over time steps.
std::uint64_t node_key(std::int32_t node, std::int32_t obstacle) {
  return (static_cast<std::uint64_t>(node) << 32) | static_cast<std::uint32_t>(obstacle);
}

/// Contact frame (n, t1, t2), t1 along the pair's axis where it has one.
Mat3d contact_frame(Vec3d n, const PairFriction& friction) {
  const Vec3d t1 = friction.axis - dot(friction.axis, n) * n;
  const double length = norm(t1);
  if (!(length > 1e-6 * norm(friction.axis))) return frame_from_normal(n);
  const Vec3d unit = (1 / length) * t1;
  return {{n, unit, cross(n, unit)}};
}

/// Points of a link's mesh that may touch others; none of an analytic shape.
std::vector<Vec3d> points_of(const LinkCollision& collision, const RobotSceneDescription& robot) {
  if (collision.shape.kind != ShapeKind::distance_grid) return {};
  for (const std::shared_ptr<const DistanceGrid>& grid : robot.grids)
    if (grid->view().value == collision.shape.grid.value) return grid->points();
  throw InputError("robot '" + robot.name + "': collision mesh " + collision.mesh_path +
                   " (must be a distance grid of the robot's grids)");
}

}  // namespace

void StepContacts::clear() {
  contacts.clear();
  points.clear();
  sides.clear();
  gap_m.clear();
  surface_velocity.clear();
}

ContactFinder::ContactFinder(const Scene& scene, const BodySystem& system) : scene_(scene) {
  for (const ObstacleDescription& obstacle : scene.obstacles)
    obstacle_shapes_.push_back(obstacle.shape);
  for (std::size_t b = 0; b < scene.soft_bodies.size(); ++b)
    soft_of_node_.resize(static_cast<std::size_t>(system.layout().soft_node[b + 1]),
                         static_cast<std::int32_t>(b));
  add_surfaces(scene, system);
  for (const Surface& a : surfaces_)
    for (const Surface& b : surfaces_)
      friction_.push_back(scene.friction_of(a.material, b.material));
}

void ContactFinder::add_surfaces(const Scene& scene, const BodySystem& system) {
  const BodyLayout& layout = system.layout();
  using Kind = SurfaceId::Kind;
  first_link_frame_ = layout.n_frame();
  first_obstacle_frame_ = first_link_frame_;
  const auto add = [&](Kind kind, std::size_t index, std::int32_t link,
                       const SurfaceMaterial& material) {
    surfaces_.push_back({{kind, static_cast<std::int32_t>(index), link}, material, 0, false});
  };
  for (std::size_t b = 0; b < scene.soft_bodies.size(); ++b) {
    const SoftBodyDescription& body = scene.soft_bodies[b];
    search_.add_soft(surface_of(body.mesh), layout.soft_node[b],
                     {body.thickness_m, body.self_contact, 0, 0});
    add(Kind::soft_body, b, 0, surface_material(body));
    searches_ = searches_ || body.self_contact || b > 0;
  }
  for (std::size_t b = 0; b < scene.rigid_bodies.size(); ++b) {
    const RigidBodyDescription& body = scene.rigid_bodies[b];
    ShapeSurface shape;
    shape.shape = body.shape;
    shape.frame = static_cast<int>(b);
    shape.in_frame = body.shape_pose;
    if (body.grid) shape.points = body.grid->points();
    search_.add_shape(shape);
    add(Kind::rigid_body, b, 0, surface_material(body));
    searches_ = true;
  }
  for (std::size_t c = 0; c < scene.cables.size(); ++c) {
    const CableDescription& cable = scene.cables[c];
    double length = 0;
    for (std::size_t k = 1; k < cable.points_m.size(); ++k)
      length += norm(cable.points_m[k] - cable.points_m[k - 1]);
    RodSurface rod;
    rod.first_frame = layout.cable_frame[c];
    rod.n_link = cable.links;
    rod.radius_m = cable.radius_m;
    rod.link_length_m = length / cable.links;
    rod.contact = cable.contact;
    rod.self_contact = cable.self_contact;
    search_.add_rod(rod);
    add(Kind::cable, c, 0, surface_material(cable));
    surfaces_.back().first_frame = rod.first_frame;
    surfaces_.back().nodal = cable.contact == RodContact::link_centres;
    searches_ = true;
  }
  const std::size_t first_link_surface = surfaces_.size();
  for (std::size_t r = 0; r < scene.robots.size(); ++r) {
    const RobotSceneDescription& robot = scene.robots[r];
    for (std::size_t l = 0; l < robot.robot.links.size(); ++l) {
      link_of_frame_.emplace_back(static_cast<std::int32_t>(r), static_cast<std::int32_t>(l));
      for (const LinkCollision& collision : robot.robot.links[l].collisions) {
        if (!robot.collides) continue;
        if (!collision.mesh_path.empty() && collision.shape.kind != ShapeKind::distance_grid)
          throw InputError("robot '" + robot.name + "': link '" + robot.robot.links[l].name +
                           "': collision mesh " + collision.mesh_path +
                           " (must have been made a distance grid; or replace it by shapes)");
        ShapeSurface shape;
        shape.shape = collision.shape;
        shape.frame = first_obstacle_frame_;
        shape.in_frame = collision.pose;
        shape.points = points_of(collision, robot);
        search_.add_shape(shape);
        add(Kind::robot, r, static_cast<std::int32_t>(l), surface_material(robot));
        searches_ = true;
      }
      ++first_obstacle_frame_;
    }
  }
  first_obstacle_surface_ = surfaces_.size();
  for (std::size_t o = 0; o < scene.obstacles.size(); ++o) {
    ShapeSurface shape;
    shape.shape = scene.obstacles[o].shape;
    shape.frame = first_obstacle_frame_ + static_cast<std::int32_t>(o);
    shape.prescribed = true;
    if (scene.obstacles[o].grid) shape.points = scene.obstacles[o].grid->points();
    search_.add_shape(shape);
    add(Kind::obstacle, o, 0, surface_material(scene.obstacles[o]));
  }

  // Nodes at obstacles have a search of their own; a robot does not touch itself, nor what it
  // holds.
  for (std::size_t a = 0; a < scene.soft_bodies.size(); ++a)
    for (std::size_t o = first_obstacle_surface_; o < surfaces_.size(); ++o)
      search_.exclude(static_cast<int>(a), static_cast<int>(o));
  for (std::size_t a = first_link_surface; a < first_obstacle_surface_; ++a) {
    const Surface& link = surfaces_[a];
    const RobotSceneDescription& robot = scene.robots[static_cast<std::size_t>(link.id.index)];
    for (std::size_t b = first_link_surface; b < first_obstacle_surface_; ++b)
      if (surfaces_[b].id.index == link.id.index)
        search_.exclude(static_cast<int>(a), static_cast<int>(b));
    const std::string& link_name = robot.robot.links[static_cast<std::size_t>(link.id.link)].name;
    const auto exclude_held = [&](const std::string& holder, const std::string& holder_link,
                                  const std::string& body) {
      if (holder != robot.name || holder_link != link_name) return;
      for (std::size_t b = 0; b < first_link_surface; ++b)
        if (surfaces_[b].material.name == body)
          search_.exclude(static_cast<int>(a), static_cast<int>(b));
    };
    for (const MountDescription& mount : scene.mounts)
      exclude_held(mount.robot, mount.link, mount.body);
    for (const AttachmentDescription& attachment : scene.attachments)
      exclude_held(attachment.robot, attachment.link, attachment.body);
  }
  const std::size_t n_frame =
      static_cast<std::size_t>(first_obstacle_frame_) + scene.obstacles.size();
  pose_.resize(n_frame);
  twist_.resize(n_frame);
}

void ContactFinder::find(const State& state, const BodySystem& system, int n_thread,
                         StepContacts* out) {
  out->clear();
  if (!scene_.soft_bodies.empty() && !scene_.obstacles.empty())
    find_nodes_at_obstacles(state, n_thread, out);
  if (searches_) find_bodies(state, system, n_thread, out);
}

/// Nodes are contact nodes already: every pair becomes an S-contact with the obstacle's surface.
void ContactFinder::find_nodes_at_obstacles(const State& state, int n_thread, StepContacts* out) {
  std::vector<ObstaclePose> obstacles;
  for (std::size_t o = 0; o < scene_.obstacles.size(); ++o) {
    const Path& path = scene_.obstacles[o].path;
    obstacles.push_back(
        {obstacle_shapes_[o], path.at(state.time_s), path.at(state.time_s + scene_.time.step_s)});
  }
  detect(obstacles, state.x.data(), state.v.data(), static_cast<int>(state.x.size()),
         scene_.contact.margin_m, scene_.time.step_s, n_thread, &node_pairs_);
  for (const ProximityPair& pair : node_pairs_) {
    const std::int32_t body = soft_of_node_[pair.node];
    const PairFriction& mu =
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
    out->sides.push_back({{SurfaceId::Kind::soft_body, body, 0},
                          {SurfaceId::Kind::obstacle, pair.obstacle, 0},
                          state.x[pair.node],
                          {},
                          state.x[pair.node] - pair.gap_m * pair.normal});
    out->gap_m.push_back(pair.gap_m);
    out->surface_velocity.push_back(pair.surface_velocity);
  }
}

void ContactFinder::set_frames(const State& state, const BodySystem& system) {
  const BodyLayout& layout = system.layout();
  for (std::int32_t f = 0; f < layout.n_frame(); ++f) {
    pose_[f] = matrix_pose(state.frames[f]);
    twist_[f] = {state.v[layout.frame_row(f)], state.v[layout.frame_row(f) + 1]};
  }
  for (std::size_t k = 0; k < link_of_frame_.size(); ++k) {
    const auto [robot, link] = link_of_frame_[k];
    const Pose& pose = system.robot(robot).link_poses()[link];
    std::vector<Mat3d> linear, angular;
    system.link_jacobians(robot, link, pose.position, &linear, &angular);
    FrameTwist twist;
    for (std::size_t r = 0; r < linear.size(); ++r) {
      const Vec3d v = state.v[static_cast<std::size_t>(layout.robot_row[robot]) + r];
      twist.linear += linear[r] * v;
      twist.angular += angular[r] * v;
    }
    pose_[static_cast<std::size_t>(first_link_frame_) + k] = pose;
    twist_[static_cast<std::size_t>(first_link_frame_) + k] = twist;
  }
  const double t = scene_.time.step_s;
  for (std::size_t o = 0; o < scene_.obstacles.size(); ++o) {
    const Path& path = scene_.obstacles[o].path;
    const Pose now = path.at(state.time_s), next = path.at(state.time_s + t);
    const std::size_t f = static_cast<std::size_t>(first_obstacle_frame_) + o;
    pose_[f] = now;
    twist_[f] = {(1 / t) * (next.position - now.position),
                 (1 / t) * rotation_log(next.rotation * transpose(now.rotation))};
  }
}

ContactFinder::Side ContactFinder::side_of(const BodyPoint& point, const Surface& surface,
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
  } else if (point.frame >= first_link_frame_) {
    const auto [robot, link] =
        link_of_frame_[static_cast<std::size_t>(point.frame - first_link_frame_)];
    system.add_link_point(robot, link, point.position, points);
  } else if (surface.nodal) {
    const std::int32_t row = system.layout().frame_row(point.frame);
    return {row, state.v[static_cast<std::size_t>(row)]};
  } else {
    system.add_frame_point(state, point.frame, point.position, points);
  }
  const int k = points->finish();
  return {n_row + k, points->velocity(k, state.v.data())};
}

void ContactFinder::find_bodies(const State& state, const BodySystem& system, int n_thread,
                                StepContacts* out) {
  set_frames(state, system);
  const std::span<const Vec3d> node_v(state.v.data(), state.x.size());
  search_.find({state.x, node_v, pose_, twist_}, scene_.contact.margin_m, scene_.time.step_s,
               n_thread, &body_pairs_);
  for (const SurfacePair& pair : body_pairs_) {
    const auto s_i = static_cast<std::size_t>(pair.surface_i),
               s_j = static_cast<std::size_t>(pair.surface_j);
    const bool world_i = pair.i.kind == PointKind::frame && pair.i.frame >= first_obstacle_frame_;
    // The world is side j.
    const Surface& surface_i = surfaces_[world_i ? s_j : s_i];
    const Surface& surface_j = surfaces_[world_i ? s_i : s_j];
    const BodyPoint& point_i = world_i ? pair.j : pair.i;
    const Side i = side_of(point_i, surface_i, state, system, &out->points);
    const BodyPoint& point_j = world_i ? pair.i : pair.j;
    const Side j = side_of(point_j, surface_j, state, system, &out->points);
    const PairFriction& mu = friction(s_i, s_j);
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
    const auto id = [](const Surface& surface, const BodyPoint& point) {
      SurfaceId s = surface.id;
      if (s.kind == SurfaceId::Kind::cable) s.link = point.frame - surface.first_frame;
      return s;
    };
    out->sides.push_back(
        {id(surface_i, point_i), id(surface_j, point_j), point_i.position, {}, point_j.position});
    out->gap_m.push_back(pair.gap_m);
    out->surface_velocity.push_back(motion.surface_velocity);
  }
}

double ContactFinder::node_penetration(const State& end) const {
  std::vector<Pose> poses;
  for (const ObstacleDescription& obstacle : scene_.obstacles)
    poses.push_back(obstacle.path.at(end.time_s));
  return max_penetration(obstacle_shapes_, poses, end.x.data(), static_cast<int>(end.x.size()));
}

}  // namespace nodia
