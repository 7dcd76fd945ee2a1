#include "host/io/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "host/io/file.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia {
namespace {

using Json = nlohmann::ordered_json;

/// Thrown if merging must not continue.
struct Stopped {};

constexpr std::int64_t kPartByte = 64'000'000;

Json json_of(Vec3d v) {
  return {v.x, v.y, v.z};
}

/// A shape with the keys of scenario files.
Json json_of(const Shape& shape, const Pose& pose) {
  Json json{{"shape", name_of(shape.kind)}};
  for (const ShapeSize& size : sizes_of(shape.kind)) {
    if (size.real) json[size.name] = shape.*size.real;
    if (size.vector) json[size.name] = json_of(shape.*size.vector);
  }
  const Quaternion q = quaternion_from_rotation(pose.rotation);
  json["position_m"] = json_of(pose.position);
  json["orientation_wxyz"] = {q.w, q.x, q.y, q.z};
  return json;
}

Json shapes_of(const RobotLink& link) {
  Json shapes = Json::array();
  for (const LinkCollision& collision : link.collisions) {
    Shape shape = collision.shape;
    if (!collision.mesh_path.empty()) shape.kind = ShapeKind::distance_grid;
    Json json = json_of(shape, collision.pose);
    if (!collision.mesh_path.empty()) {
      json["file"] = collision.mesh_path;
      json["scale"] = json_of(collision.mesh_scale);
      if (collision.mesh_up_axis != ColladaUpAxis::as_written)
        json["up_axis"] = name_of(collision.mesh_up_axis);
    }
    shapes.push_back(json);
  }
  return shapes;
}

void add_pose(const std::string& name, std::string_view kind, const Json& shapes, Json* list) {
  list->push_back({{"name", name}, {"kind", kind}, {"shapes", shapes}});
}

void add_poses(const RigidKind auto& body, ObjectKind kind, Json* list) {
  Json shapes = Json::array();
  for (const PlacedShape& placed : shapes_of(body))
    shapes.push_back(json_of(placed.shape, placed.pose));
  add_pose(body.name, name_of(kind), shapes, list);
}

void add_poses(const RobotSceneDescription& robot, ObjectKind, Json* list) {
  for (const RobotLink& link : robot.robot.links)
    list->push_back({{"name", link.name},
                     {"kind", "robot_link"},
                     {"robot", robot.name},
                     {"shapes", shapes_of(link)}});
}

void add_poses(const ObstacleDescription& obstacle, ObjectKind kind, Json* list) {
  add_pose(obstacle.name, name_of(kind), Json::array({json_of(obstacle.shape, {})}), list);
}

// Objects that are points and cells have no poses.
void add_poses(const SoftBodyDescription&, ObjectKind, Json*) {}
void add_poses(const CableDescription&, ObjectKind, Json*) {}

Json pose_list(const Scene& scene) {
  Json list = Json::array();
  visit_objects(scene, [&](ObjectKind kind, const char*, const auto& objects) {
    for (const auto& object : objects) add_poses(object, kind, &list);
  });
  for (const AttachmentDescription& attachment : scene.attachments)
    add_pose(attachment.name, "attachment", Json::array(), &list);
  return list;
}

/// Bodies in the order of their numbers.
Json body_list(const Scene& scene) {
  Json list = Json::array();
  visit_objects(scene, [&](ObjectKind kind, const char*, const auto& objects) {
    for (const auto& object : objects)
      list.push_back({{"name", object.name}, {"kind", name_of(kind)}});
  });
  return list;
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Calls `write(writer)` on a new file, which is removed if that fails.
template <class Write>
void write_vtkhdf(const std::string& path, const RecordedTopology& topology,
                  const FrameList& frames, const Write& write) {
  try {
    VtkhdfWriter writer(path, topology, frames);
    write(&writer);
    writer.close();
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    throw;
  }
}

std::string temporary(const std::string& path) {
  return path + ".tmp";
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

}  // namespace

std::string trajectory_name(int env, int n_env) {
  return n_env == 1 ? "trajectory" : fmt::format("trajectory_env{:04}", env);
}

RecordedTopology recorded_topology(const Scene& scene) {
  RecordedTopology topology;
  for (const SoftBodyDescription& body : scene.soft_bodies) {
    const auto first = static_cast<std::int32_t>(topology.n_point);
    for (const auto& tet : body.mesh.tets)
      topology.tets.push_back({first + tet[0], first + tet[1], first + tet[2], first + tet[3]});
    topology.n_point += static_cast<std::int64_t>(body.mesh.nodes.size());
  }
  for (const CableDescription& cable : scene.cables) {
    const auto first = static_cast<std::int32_t>(topology.n_point);
    for (std::int32_t k = 0; k + 1 < cable.links; ++k)
      topology.lines.push_back({first + k, first + k + 1});
    topology.n_point += cable.links;
  }
  const Json poses = pose_list(scene);
  topology.n_pose = static_cast<std::int64_t>(poses.size());
  topology.poses = text_of(poses);
  topology.bodies = text_of(body_list(scene));
  return topology;
}

FrameMaker::FrameMaker(const Scene& scene, const TetModel& model)
    : model_(model), objects_(scene), has_soft_(!scene.soft_bodies.empty()) {}

Frame FrameMaker::frame_of(const State& state, const BodyLayout& layout,
                           std::initializer_list<std::span<const Pose>> others) const {
  const std::int32_t n_node = layout.n_node();
  Frame frame;
  frame.time_s = state.time_s;
  frame.x = state.x;
  frame.velocity.assign(state.v.begin(), state.v.begin() + n_node);
  for (const BodyRange& body : layout.bodies()) {
    for (std::int32_t f = body.first; f < body.end(); ++f) {
      if (body.kind == BodyKind::chain) {
        frame.x.push_back(state.frames[static_cast<std::size_t>(f)].position);
        frame.velocity.push_back(state.v[static_cast<std::size_t>(layout.frame_row(f))]);
      } else if (body.kind == BodyKind::rigid) {
        frame.position.push_back(state.frames[static_cast<std::size_t>(f)].position);
        frame.orientation.push_back(state.frames[static_cast<std::size_t>(f)].orientation);
      }
    }
  }
  frame.contact_force.resize(frame.x.size());
  frame.contact_state.resize(frame.x.size());
  if (has_soft_) {
    const std::vector<double> stress = model_.von_mises(state.x.data());
    frame.von_mises_Pa.assign(stress.begin(), stress.end());
  }
  for (const std::span<const Pose> poses : others)
    for (const Pose& pose : poses) {
      frame.position.push_back(pose.position);
      frame.orientation.push_back(quaternion_from_rotation(pose.rotation));
    }
  return frame;
}

void FrameMaker::add_to_point(const StepView& view, std::int32_t side, const ObjectId& surface,
                              Vec3d position, Vec3d force, ContactState state, Frame* frame) const {
  const BodyLayout& layout = view.layout;
  const std::int32_t body = objects_.number(surface);
  if (body >= layout.size()) return;
  std::int32_t point = -1;
  if (layout[body].kind == BodyKind::chain) {
    point = layout.n_node() + surface.link;
    for (std::int32_t before = 0; before < body; ++before)
      if (layout[before].kind == BodyKind::chain) point += layout[before].n;
  } else if (layout[body].kind == BodyKind::soft) {
    point = side;
    if (side < 0 || side >= layout.n_node()) {
      double least = std::numeric_limits<double>::infinity();
      for (std::int32_t k = layout[body].first; k < layout[body].end(); ++k) {
        const double squared = squared_norm(frame->x[static_cast<std::size_t>(k)] - position);
        if (squared < least) least = squared, point = k;
      }
    }
  }
  if (point < 0) return;
  const auto p = static_cast<std::size_t>(point);
  frame->contact_force[p] += force;
  frame->contact_state[p] = std::max(frame->contact_state[p], static_cast<std::uint8_t>(state));
}

Frame FrameMaker::frame_of(const StepView& view) const {
  Frame frame = frame_of(view.state(), view.layout,
                         {view.link_poses, view.obstacle_poses, view.attachment_poses});
  for (std::size_t c = 0; c < view.contacts().size(); ++c) {
    const Contact<double>& contact = view.contacts()[c];
    const ContactSides& sides = view.contact_sides()[c];
    const ContactState state = view.contact_state()[c];
    const Vec3d force = transpose_times(contact.R, view.lambda()[c]);
    add_to_point(view, contact.side_i, sides.i, sides.position, force, state, &frame);
    add_to_point(view, contact.side_j, sides.j, sides.position, -force, state, &frame);
  }
  frame.contacts =
      contact_record(view.source.contacts(), objects_, &ContactQuantity::in_trajectory);
  return frame;
}

TrajectoryWriter::TrajectoryWriter(std::string stem, RecordedTopology topology, int part_frames,
                                   double part_seconds)
    : stem_(std::move(stem)),
      topology_(std::move(topology)),
      part_frames_(static_cast<std::size_t>(part_frames)),
      part_time_(part_seconds) {
  require(part_frames >= 1, "output.part_frames", part_frames, ">= 1", "try 50");
}

std::string TrajectoryWriter::part_path(int part) const {
  return fmt::format("{}.part{:04}.vtkhdf", stem_, part);
}

void TrajectoryWriter::append(Frame frame) {
  const auto now = std::chrono::steady_clock::now();
  if (open_.empty()) opened_ = now;
  open_byte_ += frame.byte_size();
  open_.push_back(std::move(frame));
  if (open_.size() >= part_frames_ || open_byte_ >= kPartByte || now - opened_ >= part_time_)
    close_part();
}

std::int64_t TrajectoryWriter::close_frames() {
  if (!open_.empty()) close_part();
  return static_cast<std::int64_t>(closed_.time_s.size());
}

/// Existing parts in order, complete or not.
std::vector<std::string> TrajectoryWriter::parts_there() const {
  namespace fs = std::filesystem;
  const std::string begin = file_name(stem_) + ".part";
  std::vector<std::string> parts;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(stem_).parent_path()))
    if (entry.path().filename().string().starts_with(begin)) parts.push_back(entry.path().string());
  std::sort(parts.begin(), parts.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return parts;
}

void TrajectoryWriter::go_on_from(std::int64_t n_frame) {
  std::filesystem::remove(temporary(whole_path()));
  // If the complete file exists, its remaining parts come from an interrupted removal.
  const std::vector<std::string> parts = parts_there();
  const bool is_whole = std::filesystem::exists(whole_path());
  std::vector<std::string> behind = is_whole ? parts : std::vector<std::string>{};
  for (const std::string& path : is_whole ? std::vector<std::string>{whole_path()} : parts) {
    if (path.ends_with(temporary(""))) {
      behind.push_back(path);
      continue;
    }
    const auto n_closed = static_cast<std::int64_t>(closed_.time_s.size());
    const std::int64_t n_left = n_frame - n_closed;
    if (n_left == 0) {
      behind.push_back(path);
      continue;
    }
    FrameList frames;
    std::vector<Frame> first;
    {
      const VtkhdfReader reader(path);
      frames = {reader.time_s(), reader.n_contact()};
      if (static_cast<std::int64_t>(frames.time_s.size()) > n_left)
        for (std::int64_t i = 0; i < n_left; ++i) first.push_back(reader.read(i));
    }
    if (!first.empty()) {  // more frames than needed: the first ones go to a new part
      for (Frame& frame : first) {
        open_byte_ += frame.byte_size();
        open_.push_back(std::move(frame));
      }
      const std::string part = part_path(n_part_);
      close_part();
      if (path != part) behind.push_back(path);
      continue;
    }
    if (path != part_path(n_part_)) rename_file(path, part_path(n_part_));
    closed_.time_s.insert(closed_.time_s.end(), frames.time_s.begin(), frames.time_s.end());
    closed_.n_contact.insert(closed_.n_contact.end(), frames.n_contact.begin(),
                             frames.n_contact.end());
    part_frame_count_.push_back(static_cast<std::int64_t>(frames.time_s.size()));
    ++n_part_;
  }
  if (static_cast<std::int64_t>(closed_.time_s.size()) < n_frame)
    throw RuntimeError(fmt::format("{}: has {} frames on the disk (must have {})", stem_,
                                   closed_.time_s.size(), n_frame));
  std::set<std::string> kept;
  for (int part = 0; part < n_part_; ++part) kept.insert(part_path(part));
  for (const std::string& path : behind)
    if (kept.count(path) == 0) std::filesystem::remove(path);
}

FrameList TrajectoryWriter::open_list() const {
  FrameList frames;
  for (const Frame& frame : open_) {
    frames.time_s.push_back(frame.time_s);
    frames.n_contact.push_back(static_cast<std::int64_t>(frame.contacts.n_contact()));
  }
  return frames;
}

void TrajectoryWriter::write_open(const std::string& path) {
  write_vtkhdf(path, topology_, open_list(), [&](VtkhdfWriter* writer) {
    for (std::size_t i = 0; i < open_.size(); ++i)
      writer->write(static_cast<std::int64_t>(i), open_[i]);
  });
}

void TrajectoryWriter::close_part() {
  const std::string path = part_path(n_part_);
  write_open(temporary(path));
  publish_file(temporary(path), path);
  const FrameList frames = open_list();
  closed_.time_s.insert(closed_.time_s.end(), frames.time_s.begin(), frames.time_s.end());
  closed_.n_contact.insert(closed_.n_contact.end(), frames.n_contact.begin(),
                           frames.n_contact.end());
  part_frame_count_.push_back(static_cast<std::int64_t>(open_.size()));
  open_.clear();
  open_byte_ = 0;
  ++n_part_;
}

bool TrajectoryWriter::finish(const std::function<bool()>& go_on) {
  const bool whole = prepare(go_on);
  if (prepared_) publish_file(temporary(whole_path()), whole_path());
  prepared_ = false;
  publish();
  return whole;
}

bool TrajectoryWriter::prepare(const std::function<bool()>& go_on) {
  if (n_part_ == 0 && open_.empty()) return true;
  if (n_part_ == 0) {  // no part is on the disk, so none is needed
    write_open(temporary(whole_path()));
    closed_ = open_list();
    open_.clear();
    prepared_ = true;
  } else {
    if (!open_.empty()) close_part();
    prepared_ = merge_parts(go_on);
  }
  if (prepared_)
    files_.emplace_back(file_name(whole_path()), static_cast<std::int64_t>(closed_.time_s.size()));
  for (int part = 0; !prepared_ && part < n_part_; ++part)
    files_.emplace_back(file_name(part_path(part)),
                        part_frame_count_[static_cast<std::size_t>(part)]);
  return prepared_;
}

void TrajectoryWriter::publish() {
  if (prepared_) rename_file(temporary(whole_path()), whole_path());
  prepared_ = false;
  const bool whole = !files_.empty() && files_.front().first == file_name(whole_path());
  for (int part = 0; whole && part < n_part_; ++part) std::filesystem::remove(part_path(part));
  n_part_ = 0;
  closed_ = {};
}

bool TrajectoryWriter::merge_parts(const std::function<bool()>& go_on) try {
  write_vtkhdf(temporary(whole_path()), topology_, closed_, [&](VtkhdfWriter* writer) {
    std::int64_t frame = 0;
    for (int part = 0; part < n_part_; ++part) {
      const VtkhdfReader reader(part_path(part));
      if (go_on && !go_on()) throw Stopped{};
      writer->write_all(frame, reader);
      frame += static_cast<std::int64_t>(reader.time_s().size());
    }
  });
  return true;
} catch (const Stopped&) {
  return false;
}

}  // namespace nodia
