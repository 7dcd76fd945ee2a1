#include "host/io/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "host/io/file.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr std::int64_t kPartByte = 64'000'000;

/// Calls `write(writer)` on a file under a temporary name, then gives it its own.
template <class Write>
void write_vtkhdf(const std::string& path, const Topology& topology,
                  const std::vector<double>& time_s, const Write& write) {
  const std::string temporary = path + ".tmp";
  try {
    VtkhdfWriter writer(temporary, topology, time_s);
    write(&writer);
    writer.close();
    publish_file(temporary, path);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
}

}  // namespace

std::string trajectory_name(int env, int n_env) {
  return n_env == 1 ? "trajectory" : fmt::format("trajectory_env{:04}", env);
}

Topology topology_of(const Scene& scene) {
  Topology topology;
  for (const SoftBodyDescription& body : scene.soft_bodies) {
    const auto first = static_cast<std::int32_t>(topology.n_node);
    for (const auto& tet : body.mesh.tets)
      topology.tets.push_back({first + tet[0], first + tet[1], first + tet[2], first + tet[3]});
    topology.n_node += static_cast<std::int64_t>(body.mesh.nodes.size());
  }
  return topology;
}

Frame frame_of(const State& state, const TetModel& model) {
  Frame frame;
  frame.time_s = state.time_s;
  frame.x = state.x;
  frame.velocity.assign(state.v.begin(), state.v.begin() + static_cast<std::ptrdiff_t>(state.x.size()));
  frame.contact_force.resize(state.x.size());
  frame.contact_state.resize(state.x.size());
  const std::vector<double> stress = model.von_mises(state.x.data());
  frame.von_mises_Pa.assign(stress.begin(), stress.end());
  return frame;
}

Frame frame_of(const StepView& view, const TetModel& model) {
  Frame frame = frame_of(view.state, model);
  const auto add = [&](std::int32_t node, Vec3d force, ContactState state) {
    if (node >= static_cast<std::int32_t>(frame.contact_force.size())) return;
    frame.contact_force[node] += force;
    frame.contact_state[node] =
        std::max(frame.contact_state[node], static_cast<std::uint8_t>(state));
  };
  for (std::size_t c = 0; c < view.contacts.size(); ++c) {
    const Contact<double>& contact = view.contacts[c];
    const Vec3d force = transpose_times(contact.R, view.lambda[c]);
    add(contact.node_i, force, view.contact_state[c]);
    if (contact.node_j != kWorld) add(contact.node_j, -force, view.contact_state[c]);
  }
  return frame;
}

TrajectoryWriter::TrajectoryWriter(std::string stem, Topology topology, int part_frames)
    : stem_(std::move(stem)),
      topology_(std::move(topology)),
      part_frames_(static_cast<std::size_t>(part_frames)) {
  require(part_frames >= 1, "output.part_frames", part_frames, ">= 1", "try 50");
}

std::string TrajectoryWriter::part_path(int part) const {
  return fmt::format("{}.part{:04}.vtkhdf", stem_, part);
}

void TrajectoryWriter::append(Frame frame) {
  open_byte_ += frame.byte_size();
  open_.push_back(std::move(frame));
  if (open_.size() >= part_frames_ || open_byte_ >= kPartByte) close_part();
}

void TrajectoryWriter::close_part() {
  std::vector<double> time_s;
  for (const Frame& frame : open_) time_s.push_back(frame.time_s);
  write_vtkhdf(part_path(n_part_), topology_, time_s, [&](VtkhdfWriter* writer) {
    for (std::size_t i = 0; i < open_.size(); ++i)
      writer->write(static_cast<std::int64_t>(i), open_[i]);
  });
  time_s_.insert(time_s_.end(), time_s.begin(), time_s.end());
  open_.clear();
  open_byte_ = 0;
  ++n_part_;
}

void TrajectoryWriter::finish() {
  if (!open_.empty()) close_part();
  const std::string whole = stem_ + ".vtkhdf";
  if (n_part_ == 1)
    publish_file(part_path(0), whole);
  else if (n_part_ > 1)
    merge_parts();
  n_part_ = 0;
  time_s_.clear();
}

void TrajectoryWriter::merge_parts() {
  write_vtkhdf(stem_ + ".vtkhdf", topology_, time_s_, [&](VtkhdfWriter* writer) {
    std::int64_t frame = 0;
    for (int part = 0; part < n_part_; ++part) {
      const VtkhdfReader reader(part_path(part));
      for (std::size_t i = 0; i < reader.time_s().size(); ++i)
        writer->write(frame++, reader.read(static_cast<std::int64_t>(i)));
    }
  });
  for (int part = 0; part < n_part_; ++part) std::filesystem::remove(part_path(part));
}

void remove_trajectories(const std::string& folder) {
  static const std::regex ours(R"(trajectory(_env\d{4,})?(\.part\d{4,})?\.vtkhdf(\.tmp)?)");
  remove_files(folder, ours);
}

}  // namespace nodia
