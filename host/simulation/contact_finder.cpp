#include "host/simulation/contact_finder.hpp"

#include <algorithm>
#include <optional>

#include "host/scene/attachment_distance.hpp"
#include "host/simulation/contact_rules.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// True if two frames keep their relative pose on these paths.
bool move_together(const Path& a, const Path& b) {
  if (!a.moves() && !b.moves()) return true;
  const auto same_time = [](const Path::Key& k, const Path::Key& l) {
    return k.time_s == l.time_s;
  };
  if (a.profile != b.profile ||
      !std::equal(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(), same_time)) {
    return false;
  }
  constexpr double kRounding = 1e-12;  // [m] and sine
  const auto relative_at = [&](double time_s) {
    const Pose at_a = a.at(time_s), at_b = b.at(time_s);
    return Pose{at_a.to_local(at_b.position), transpose(at_a.rotation) * at_b.rotation};
  };
  const Pose start = relative_at(a.keys.front().time_s);
  const auto is_same = [&](double time_s) {
    const Pose now = relative_at(time_s);
    const Mat3d turned = now.rotation - start.rotation;
    return norm(now.position - start.position) < kRounding && norm(turned.row[0]) < kRounding &&
           norm(turned.row[1]) < kRounding && norm(turned.row[2]) < kRounding;
  };
  for (std::size_t k = 1; k < a.keys.size(); ++k) {
    const double before = a.keys[k - 1].time_s, end = a.keys[k].time_s;
    if (!is_same(end) || !is_same(0.5 * (before + end)) || !is_same(0.7 * before + 0.3 * end))
      return false;
  }
  return true;
}

/// True if two surfaces of one object may collide: links of a robot with self-contact that are not
/// excluded.
bool touch_each_other(const Scene& scene, const ObjectId& a, const ObjectId& b) {
  if (a.kind != ObjectKind::robot) return false;
  const RobotSceneDescription& robot = scene.robots[static_cast<std::size_t>(a.index)];
  if (!robot.self_contact || robot.robot.are_neighbours(a.link, b.link)) return false;
  const auto name = [&](const ObjectId& id) {
    return robot.robot.links[static_cast<std::size_t>(id.link)].name;
  };
  const std::string of_a = name(a), of_b = name(b);
  return std::none_of(robot.self_contact_exclude.begin(), robot.self_contact_exclude.end(),
                      [&](const LinkPair& pair) {
                        return (pair.link == of_a && pair.other == of_b) ||
                               (pair.link == of_b && pair.other == of_a);
                      });
}

/// Displacement of a point by the rotation of its soft body, beside t v_hat [m].
Vec3d shift_of(const BodyPoint& point, const SoftBodies& soft, Shift of) {
  Vec3d shift{};
  if (point.kind != PointKind::nodes) return shift;
  for (int k = 0; k < point.n_node; ++k)
    shift += (point.n_node == 1 ? 1 : point.weight[k]) * soft.shift(of, point.node[k]);
  return shift;
}
/// That of point i minus that of point j.
Vec3d shift_of(const SurfacePair& pair, const SoftBodies& soft, Shift of) {
  return shift_of(pair.i, soft, of) - shift_of(pair.j, soft, of);
}

}  // namespace

void StepContacts::clear() {
  contacts.clear();
  points.clear();
  sides.clear();
  pairs.clear();
  impacts.clear();
  turned.clear();
}

Vec3d StepContacts::relative_velocity(std::size_t m, const Vec3d* v_hat, std::int32_t n_row) const {
  return row_velocity(m, v_hat, n_row) - pairs[m].surface_velocity;
}

Vec3d StepContacts::row_velocity(std::size_t m, const Vec3d* v_hat, std::int32_t n_row) const {
  const auto velocity = [&](std::int32_t side) {
    return side < n_row ? v_hat[side] : points.velocity(side - n_row, v_hat);
  };
  const Contact<double>& c = contacts[m];
  Vec3d relative = velocity(c.side_i);
  if (c.side_j != kWorld) relative -= velocity(c.side_j);
  return relative;
}

ContactFinder::ContactFinder(const Scene& scene, const std::vector<Path>& obstacles,
                             const BodySystem& system)
    : scene_(scene), obstacles_(obstacles), friction_(scene) {
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
  surfaces_.search().set_edges_at_prescribed(scene.contact.edges_at_obstacles);
  first_obstacle_frame_ = system.n_frame();
  first_obstacle_surface_ = surfaces_.all().size();
  for (std::size_t o = 0; o < scene.obstacles.size(); ++o) {
    ShapeSurface shape;
    shape.shape = scene.obstacles[o].shape;
    shape.frame = first_obstacle_frame_ + static_cast<std::int32_t>(o);
    shape.prescribed = true;
    shape.start = obstacles_[o].at(0);
    // The unit is the first obstacle that moves together with this one.
    const auto moves_alike = [&](const Path& path) { return move_together(path, obstacles_[o]); };
    shape.unit = static_cast<int>(std::find_if(obstacles_.begin(), obstacles_.end(), moves_alike) -
                                  obstacles_.begin());
    set_mesh_trees(scene.obstacles[o].grid, &shape);
    const ObjectId id{ObjectKind::obstacle, static_cast<std::int32_t>(o), 0};
    surfaces_.add_shape({id, surface_material(scene.obstacles[o])}, shape);
  }
  const std::size_t n_frame =
      static_cast<std::size_t>(first_obstacle_frame_) + scene.obstacles.size();
  pose_.resize(n_frame);
  pose_next_.resize(n_frame);
  twist_.resize(n_frame);
  twist_free_.resize(n_frame);
}

void ContactFinder::exclude_pairs(const Scene& scene) {
  const std::vector<SceneSurface>& surfaces = surfaces_.all();
  ProximitySearch& search = surfaces_.search();
  // Shapes of one object do not collide, but links with self-contact do; nor do bodies that are
  // joined, also at one point of a third body, or a robot and a body that it holds.
  for (std::size_t a = 0; a < first_obstacle_surface_; ++a)
    for (std::size_t b = a + 1;
         b < first_obstacle_surface_ && same_object(surfaces[a].id, surfaces[b].id); ++b)
      if (!touch_each_other(scene, surfaces[a].id, surfaces[b].id))
        search.exclude(static_cast<int>(a), static_cast<int>(b));
  const auto is_link = [&](std::size_t a) { return surfaces[a].id.kind == ObjectKind::robot; };
  for (std::size_t a = 0; a < first_obstacle_surface_; ++a) {
    const SceneSurface& link = surfaces[a];
    if (!is_link(a)) continue;
    const RobotSceneDescription& robot = scene.robots[static_cast<std::size_t>(link.id.index)];
    const std::string& link_name = robot.robot.links[static_cast<std::size_t>(link.id.link)].name;
    const auto exclude_attached = [&](const std::string& attached_robot,
                                      const std::string& attached_link, const std::string& body) {
      if (attached_robot != robot.name || attached_link != link_name) return;
      for (std::size_t b = 0; b < first_obstacle_surface_; ++b)
        if (!is_link(b) && surfaces[b].material.name == body)
          search.exclude(static_cast<int>(a), static_cast<int>(b));
    };
    for (const MountDescription& mount : scene.mounts)
      exclude_attached(mount.robot, mount.link, mount.body);
    for (const AttachmentDescription& attachment : scene.attachments)
      exclude_attached(attachment.robot, attachment.link, attachment.body);
  }
  const auto exclude_joined = [&](const std::string& body, const std::string& to) {
    for (std::size_t a = 0; a < first_obstacle_surface_; ++a) {
      if (to.empty() || surfaces[a].material.name != body) continue;
      for (std::size_t b = 0; b < first_obstacle_surface_; ++b)
        if (surfaces[b].material.name == to)
          search.exclude(static_cast<int>(a), static_cast<int>(b));
    }
  };
  const auto radius = [&](const std::string& body) {
    const int cable = index_of(scene.cables, body);
    return cable < 0 ? 0 : scene.cables[static_cast<std::size_t>(cable)].radius_m;
  };
  for (const MountDescription& mount : scene.mounts) {
    exclude_joined(mount.body, mount.to);
    for (const MountDescription& other : scene.mounts)
      if (!mount.to.empty() && other.to == mount.to && other.body != mount.body &&
          norm(held_point(mount, scene) - held_point(other, scene)) <=
              radius(mount.body) + radius(other.body))
        exclude_joined(mount.body, other.body);
  }
  for (const AttachmentDescription& attachment : scene.attachments)
    exclude_joined(attachment.body, attachment.to);
}

/// Contact rule of two surfaces.
ContactRule ContactFinder::rule_of(std::size_t a, std::size_t b) const {
  return contact_rule(
      friction_.of(object_[a], object_[b]),
      std::max(surfaces_.all()[a].material.restitution, surfaces_.all()[b].material.restitution));
}

/// Smaller extent of two surfaces' bodies [m].
double ContactFinder::smaller_extent(std::size_t a, std::size_t b) const {
  return std::min(extent_[a], extent_[b]);
}

/// Sets the poses of all frames; requires system.update_kinematics(state).
void ContactFinder::set_poses(const State& state, const BodySystem& system) {
  system.poses(state, pose_.data());
  for (std::size_t o = 0; o < obstacles_.size(); ++o)
    pose_[static_cast<std::size_t>(first_obstacle_frame_) + o] = obstacles_[o].at(state.time_s);
}

void ContactFinder::set_twists(const State& state, const BodySystem& system,
                               const RowVelocities& v) {
  system.twists(pose_.data(), v.now, twist_.data());
  system.twists(pose_.data(), v.free, twist_free_.data());
  const double t = scene_.time.step_s;
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    const std::size_t f = static_cast<std::size_t>(first_obstacle_frame_) + o;
    const Pose &now = pose_[f], next = pose_next_[f] = obstacles_[o].at(state.time_s + t);
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
    // Sort the rows of a point in ascending order.
    int order[3] = {0, 1, 2};
    for (int k = 1; k < point.n_node; ++k)
      for (int l = k; l > 0 && point.node[order[l]] < point.node[order[l - 1]]; --l)
        std::swap(order[l], order[l - 1]);
    for (int k = 0; k < point.n_node; ++k)
      points->add(point.node[order[k]], point.weight[order[k]] * Mat3d::identity());
  } else if (point.frame >= first_obstacle_frame_) {
    return {kWorld, {}};
  } else if (surface.nodal) {
    const std::int32_t row = system.layout().frame_row(point.frame);
    return {row, state.v[static_cast<std::size_t>(row)]};
  } else {
    system.add_point(state, point.frame, point.position, points);
  }
  const int k = points->finish();
  return {n_row + k, points->velocity(k, state.v.data())};
}

void ContactFinder::find(const State& state, const BodySystem& system,
                         const std::vector<Vec3d>& v_free, KeyedForces forces, int n_thread,
                         StepContacts* out) {
  find_pairs(state, system, {state.v, v_free}, forces, n_thread, out);
  make_contacts(state, system, out);
}

void ContactFinder::find_pairs(const State& state, const BodySystem& system, const RowVelocities& v,
                               KeyedForces forces, int n_thread, StepContacts* out) {
  set_poses(state, system);
  set_twists(state, system, v);
  if (has_tunnelling_) {
    tunnelled_.insert(tunnelled_.end(), tunnelling_.begin(), tunnelling_.end());
  } else {
    tunnelled_.clear();
    entered_.clear();
  }
  has_tunnelling_ = false;
  out->clear();
  ProximityState now = in_step(state, v);
  now.forces = forces;
  now.tunnelled = tunnelled_;
  surfaces_.search().find(now, scene_.contact.margin_m, scene_.time.step_s, n_thread, &out->pairs);
  for (const SurfacePair& pair : entered_) {
    const auto has_key = [&](const SurfacePair& p) { return p.key == pair.key; };
    if (std::none_of(out->pairs.begin(), out->pairs.end(), has_key)) out->pairs.push_back(pair);
  }
}

/// State of the search in a step; requires set_poses() and set_twists().
ProximityState ContactFinder::in_step(const State& state, const RowVelocities& v) const {
  const auto of_nodes = [&](const std::vector<Vec3d>& velocity) {
    return std::span<const Vec3d>(velocity.data(), state.x.size());
  };
  return {state.x, of_nodes(v.now), pose_, twist_, of_nodes(v.free), twist_free_, pose_next_};
}

std::shared_ptr<const ObstacleContacts> ContactFinder::obstacle_contacts(const BodySystem& system) {
  const std::optional<NodesAndShapes> all = surfaces_.search().nodes_and_shapes();
  const int n_node = system.soft_bodies().model().n_node();
  if (!all || all->shape.empty() || system.layout().n_row() != n_node) return nullptr;
  auto contacts = std::make_shared<ObstacleContacts>();
  ObstacleContacts& c = *contacts;
  obstacle_surface_ = all->shape;
  c.surface = all->surface_of_node;
  c.surface.resize(static_cast<std::size_t>(n_node), -1);
  c.may_collide = all->may_collide;
  c.rule.resize(c.may_collide.size());
  c.extent.resize(c.may_collide.size());
  c.nodes_touch_one_obstacle = c.is_isotropic = true;
  const std::size_t n_shape = all->shape.size();
  for (std::size_t a = 0; a < surfaces_.all().size(); ++a) {
    int n_touchable = 0;
    for (std::size_t k = 0; k < n_shape; ++k) {
      if (c.may_collide[a * n_shape + k] == 0) continue;
      const auto b = static_cast<std::size_t>(all->shape[k]);
      c.rule[a * n_shape + k] = rule_of(a, b);
      c.extent[a * n_shape + k] = smaller_extent(a, b);
      c.is_isotropic = c.is_isotropic && c.rule[a * n_shape + k].mu1 == c.rule[a * n_shape + k].mu2;
      ++n_touchable;
    }
    c.nodes_touch_one_obstacle = c.nodes_touch_one_obstacle && n_touchable <= 1;
  }
  for (const Body& body : system.topology()->bodies)
    c.body.push_back({body.first_row, body.first_row + body.n_row});
  for (const std::int32_t surface : all->shape) {
    const auto o = static_cast<std::size_t>(surface) - first_obstacle_surface_;
    c.shape.push_back(scene_.obstacles[o].shape);
    c.shape_data.push_back(scene_.obstacles[o].grid);
  }
  c.times = contact_times(scene_.time, scene_.contact);
  c.reach = {scene_.contact.margin_m, scene_.time.step_s};
  c.n_tet = system.soft_bodies().model().n_tet();
  const auto& searches = surfaces_.search().soft_searches(scene_.contact.margin_m);
  if (!searches->search.empty()) c.soft_searches = searches;
  for (const auto& [i, j] : searches->search)
    c.pair_rule.push_back(rule_of(static_cast<std::size_t>(i), static_cast<std::size_t>(j)));
  return contacts;
}

void ContactFinder::obstacle_motions(const State& state, const BodySystem& system,
                                     std::vector<ObstacleMotion>* out) {
  set_poses(state, system);
  set_twists(state, system, {state.v, state.v});
  surfaces_.search().shape_poses(in_step(state, {state.v, state.v}), scene_.time.step_s,
                                 &obstacle_pose_);
  out->clear();
  for (const ObstaclePose& o : obstacle_pose_) out->push_back({o.now, o.next});
}

void ContactFinder::obstacle_motions_at(double time_s, std::vector<ObstacleMotion>* out) {
  const double t = scene_.time.step_s;
  std::vector<Pose> now = pose_, next = pose_next_;
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    const std::size_t f = static_cast<std::size_t>(first_obstacle_frame_) + o;
    now[f] = obstacles_[o].at(time_s);
    next[f] = obstacles_[o].at(time_s + t);
  }
  std::vector<ObstaclePose> poses;
  ProximityState of_frames;
  of_frames.pose = now;
  of_frames.pose_next = next;
  surfaces_.search().shape_poses(of_frames, t, &poses);
  out->clear();
  for (const ObstaclePose& o : poses) out->push_back({o.now, o.next});
}

void ContactFinder::by_place(const ObstacleContacts& contacts,
                             const std::vector<std::pair<std::uint64_t, Vec3d>>& by_key,
                             std::vector<std::pair<std::int32_t, Vec3d>>* out) const {
  out->clear();
  if (by_key.empty()) return;
  const int n_obstacle = contacts.n_obstacle();
  for (std::size_t node = 0; node < contacts.surface.size(); ++node) {
    const std::int32_t surface = contacts.surface[node];
    if (surface < 0) continue;
    for (int k = 0; k < n_obstacle; ++k) {
      if (contacts.may_collide[static_cast<std::size_t>(surface * n_obstacle + k)] == 0) continue;
      const auto i = static_cast<std::int32_t>(node);
      const std::uint64_t key =
          ProximitySearch::node_key(surface, obstacle_surface_[static_cast<std::size_t>(k)], i);
      const auto found =
          std::lower_bound(by_key.begin(), by_key.end(), key,
                           [](const auto& entry, std::uint64_t of) { return entry.first < of; });
      if (found != by_key.end() && found->first == key)
        out->emplace_back(i * n_obstacle + k, found->second);
    }
  }
}

void ContactFinder::keys_of(std::span<const NodeAtObstacle> place, std::span<const SoftPair> pairs,
                            const ObstacleContacts& contacts,
                            std::vector<std::uint64_t>* out) const {
  out->clear();
  for (const NodeAtObstacle& at : place)
    out->push_back(ProximitySearch::node_key(
        contacts.surface[static_cast<std::size_t>(at.node)],
        obstacle_surface_[static_cast<std::size_t>(at.obstacle)], at.node));
  for (const SoftPair& pair : pairs) out->push_back(ProximitySearch::pair_key(pair));
}

void ContactFinder::take(const State& state, const BodySystem& system,
                         std::span<const NodeAtObstacle> near, std::span<const SoftPair> pairs,
                         int n_thread, StepContacts* out) {
  out->clear();
  has_tunnelling_ = false;
  surfaces_.search().take(in_step(state, {state.v, state.v}), scene_.contact.margin_m,
                          scene_.time.step_s, n_thread, near, pairs, &out->pairs);
  make_contacts(state, system, out);
}

void ContactFinder::make_contacts(const State& state, const BodySystem& system,
                                  StepContacts* out) const {
  std::size_t n_kept = 0;
  for (std::size_t p = 0; p < out->pairs.size(); ++p) {
    const TurnedPair turned = out->turned.empty() ? TurnedPair{} : out->turned[p];
    out->pairs[n_kept] = out->pairs[p];
    if (make_contact(turned, state, system, &out->pairs[n_kept], out)) ++n_kept;
  }
  out->pairs.resize(n_kept);
  out->turned.clear();
}

/// Appends the contact of a pair and its sides; the world is side j.
/// @param to_make  entry of out->pairs with the index of the new contact; its turn_m is set
/// @return false without a contact if no force can move either point
bool ContactFinder::make_contact(const TurnedPair& turned, const State& state,
                                 const BodySystem& system, SurfacePair* to_make,
                                 StepContacts* out) const {
  SurfacePair& pair = *to_make;
  const int n_point = out->points.size();
  const auto s_i = static_cast<std::size_t>(pair.surface_i),
             s_j = static_cast<std::size_t>(pair.surface_j);
  const bool is_swapped = pair.i.kind == PointKind::frame && pair.i.frame >= first_obstacle_frame_;
  const SceneSurface& surface_i = surfaces_.all()[is_swapped ? s_j : s_i];
  const SceneSurface& surface_j = surfaces_.all()[is_swapped ? s_i : s_j];
  BodyPoint point_i = is_swapped ? pair.j : pair.i, point_j = is_swapped ? pair.i : pair.j;
  const Vec3d position_i = point_i.position, position_j = point_j.position;
  Vec3d normal = pair.normal;
  if (turned.turns) {
    point_i.position = is_swapped ? turned.at_j : turned.at_i;
    point_j.position = is_swapped ? turned.at_i : turned.at_j;
    normal = turned.normal;
  }
  const Side i = side_of(point_i, surface_i, state, system, &out->points);
  const Side j = side_of(point_j, surface_j, state, system, &out->points);
  const std::int32_t n_row = system.layout().n_row();
  const auto is_movable = [&](const Side& s) {
    return s.side != kWorld && (s.side < n_row || out->points.moves(s.side - n_row));
  };
  if (!is_movable(i) && !is_movable(j)) {
    out->points.truncate(n_point);
    return false;
  }
  const ContactRule rule = rule_of(s_i, s_j);
  Contact<double> c;
  c.side_i = i.side;
  c.side_j = j.side;
  c.R = contact_frame(is_swapped ? -normal : normal, rule.axis);
  c.phi = contact_phi({pair.gap_m, i.velocity - j.velocity, pair.surface_velocity}, c.R,
                      rule.restitution, contact_times(scene_.time, scene_.contact));
  c.mu1 = rule.mu1;
  c.mu2 = rule.mu2;
  c.key = pair.key;
  if (rule.restitution > 0)
    out->impacts.push_back({static_cast<std::int32_t>(out->contacts.size()), rule.restitution});
  out->contacts.push_back(c);
  const double t = scene_.time.step_s;
  const bool is_linear = rule.restitution > 0 || scene_.time.theta < 1;
  Vec3d turn_m{};  // displacement that is not linear in the velocities, contact frame
  if (turned.turns && !is_linear) {
    const Vec3d relative =
        out->relative_velocity(out->contacts.size() - 1, out->turned_v_hat.data(), n_row);
    // The correction may demand a separation of at most twice the relative displacement of the
    // points. Without this bound, an inaccurate prediction of the rotation can create energy.
    constexpr double kMostSeparation = 2;
    const double linear = pair.gap_m + t * dot(c.R.row[0], relative);
    turn_m.x = std::max(turned.gap_end_m - linear,
                        -std::max(pair.gap_m, 0.0) - kMostSeparation * t * norm(relative));
  } else if (!turned.turns) {
    const Vec3d shift = shift_of(pair, system.soft_bodies(),
                                 out->turned.empty() ? Shift::predicted : Shift::solved);
    // All three components: the displacement of a point that sticks is zero.
    if (squared_norm(shift) > 0) turn_m = c.R * (is_swapped ? -shift : shift);
  }
  pair.turn_m = turn_m.x;
  if (!is_linear && squared_norm(turn_m) > 0) out->contacts.back().phi += (1 / t) * turn_m;
  const auto id = [](const SceneSurface& surface, const BodyPoint& point) {
    ObjectId s = surface.id;
    if (s.kind == ObjectKind::cable) s.link = point.frame - surface.first_frame;
    return s;
  };
  out->sides.push_back(
      {id(surface_i, point_i), id(surface_j, point_j), position_i, {}, position_j});
  return true;
}

ProximityState ContactFinder::at_rest(const State& state) const {
  return {state.x, {state.v.data(), state.x.size()}, pose_, twist_};
}

ObjectOverlap ContactFinder::overlap(std::int32_t a, std::int32_t b, double depth_m) const {
  const auto s_a = static_cast<std::size_t>(a), s_b = static_cast<std::size_t>(b);
  return {object_[s_a],
          object_[s_b],
          depth_m,
          depth_m / smaller_extent(s_a, s_b),
          surfaces_.all()[s_a].id.link,
          surfaces_.all()[s_b].id.link};
}

void ContactFinder::add_overlaps(const State& state, OverlapScope scope,
                                 std::vector<ObjectOverlap>* out) {
  surfaces_.search().find_overlaps(at_rest(state), scope, &surface_overlaps_);
  for (const SurfaceOverlap& o : surface_overlaps_)
    out->push_back(overlap(o.surface_i, o.surface_j, o.depth_m));
}

void ContactFinder::find_overlaps(const State& state, const BodySystem& system,
                                  std::vector<ObjectOverlap>* out) {
  out->clear();
  set_poses(state, system);
  add_overlaps(state, OverlapScope::all, out);
}

void ContactFinder::set_end_poses(const State& end, const BodySystem& system) {
  set_poses(end, system);
  std::copy(pose_next_.begin() + first_obstacle_frame_, pose_next_.end(),
            pose_.begin() + first_obstacle_frame_);
}

bool ContactFinder::find_tunnelling(const State& end, const BodySystem& system) {
  set_end_poses(end, system);
  pose_end_ = pose_;
  surfaces_.search().find_tunnelling(at_rest(end), &tunnelling_);
  has_tunnelling_ = true;
  return !tunnelling_.empty();
}

ProximityState ContactFinder::at_end(const State& end) const {
  return {end.x, {end.v.data(), end.x.size()}, pose_end_, twist_};
}

bool ContactFinder::turns_into_overlap(const State& end, const BodySystem& system,
                                       const StepContacts& found, const Vec3d* v_hat) {
  constexpr double kShare = 1e-2;  // smallest overlap, relative to the smaller body
  constexpr double kMissedShare =
      0.1;  // smallest error of the linear gap, relative to that overlap
  const auto n_row = static_cast<std::int32_t>(end.v.size());
  if (surfaces_.search().find_entered(at_end(end), found.pairs, kShare, &entered_)) return true;
  surfaces_.search().turn(at_end(end), found.pairs, &turned_);
  for (std::size_t m = 0; m < found.contacts.size(); ++m) {
    const SurfacePair& pair = found.pairs[m];
    const Mat3d& R = found.contacts[m].R;
    const double without_turn =
        pair.gap_m + scene_.time.step_s * dot(R.row[0], found.relative_velocity(m, v_hat, n_row));
    const double linear = without_turn + pair.turn_m;
    const double end_m =
        turned_[m].turns
            ? turned_[m].gap_end_m
            : without_turn + dot(pair.normal, shift_of(pair, system.soft_bodies(), Shift::solved));
    const double least = kShare * smaller_extent(static_cast<std::size_t>(pair.surface_i),
                                                 static_cast<std::size_t>(pair.surface_j));
    if (end_m < -least && end_m < linear - kMissedShare * least) return true;
  }
  return false;
}

void ContactFinder::turn(const State& end, const std::vector<Vec3d>& v_hat, StepContacts* out) {
  surfaces_.search().turn(at_end(end), out->pairs, &out->turned);
  out->turned_v_hat = v_hat;
}

void ContactFinder::evaluate(const State& end, const BodySystem& system, const StepContacts& found,
                             EndOfStep* out) {
  out->overlaps.clear();
  out->missed.clear();
  if (has_tunnelling_)
    set_end_poses(end, system);
  else
    find_tunnelling(end, system);
  has_tunnelling_ = false;
  for (const MissedTunnelling& p : tunnelling_)
    out->missed.push_back(overlap(p.surface_i, p.surface_j, p.depth_m));
  add_overlaps(end, OverlapScope::cheap, &out->overlaps);
  for (std::size_t m = 0; m < found.contacts.size(); ++m) {
    // The search measures nodes at their end positions, so they are skipped here.
    const SurfacePair& pair = found.pairs[m];
    const double gap_end_m = found.sides[m].gap_end_m;
    if (pair.rule != PairRule::node && gap_end_m < 0)
      out->overlaps.push_back(overlap(pair.surface_i, pair.surface_j, -gap_end_m));
  }
}

void ContactFinder::evaluate_from(const ObstacleContacts& contacts,
                                  std::span<const SoftDepth> depth,
                                  std::span<const double> pair_depth, EndOfStep* out) const {
  out->overlaps.clear();
  out->missed.clear();
  const auto n_obstacle = static_cast<std::size_t>(contacts.n_obstacle());
  for (std::size_t b = 0; b < contacts.body.size(); ++b) {
    const std::int32_t surface = contacts.surface[static_cast<std::size_t>(contacts.body[b].begin)];
    for (std::size_t k = 0; k < n_obstacle; ++k) {
      const SoftDepth& of = depth[b * n_obstacle + k];
      const std::int32_t obstacle = obstacle_surface_[k];
      if (of.missed_m > 0) out->missed.push_back(overlap(surface, obstacle, of.missed_m));
      if (of.depth_m > 0) out->overlaps.push_back(overlap(surface, obstacle, of.depth_m));
    }
  }
  for (std::size_t s = 0; s < pair_depth.size(); ++s) {
    const auto [i, j] = contacts.soft_searches->search[s];
    if (pair_depth[s] > 0) out->overlaps.push_back(overlap(i, j, pair_depth[s]));
  }
}

}  // namespace nodia
