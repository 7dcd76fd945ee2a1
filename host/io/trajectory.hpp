/// The trajectory of one environment, written so that a kill loses only the frames since the last
/// closed part.
///
/// While the run lasts, frames go to closed files `<name>.part0000.vtkhdf`,
/// `<name>.part0001.vtkhdf`, ... each a complete temporal VTKHDF file, made under a temporary name,
/// synced and renamed. finish() merges them into `<name>.vtkhdf` and removes them; until that file
/// has its name the parts stay, so the disk must hold the trajectory twice for a moment.
#pragma once

#include <chrono>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/io/vtkhdf.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia {

/// Name without extension: "trajectory" for the only environment, "trajectory_env0000",
/// "trajectory_env0001", ... for several.
std::string trajectory_name(int env, int n_env);

/// A scene as points, cells and poses: soft nodes, then links of cables, numbered through in the
/// order of the bodies; poses of rigid bodies, then of the links of the robots, the obstacles and
/// the frames of the attachments.
RecordedTopology recorded_topology(const Scene& scene);

/// Makes the frames of one environment.
class FrameMaker {
 public:
  /// @param scene, model  of the environment; the model must outlive this object
  FrameMaker(const Scene& scene, const TetModel& model);

  /// A state on which no contact acts.
  /// @param others  poses that it does not hold: of the links of the robots, robot by robot, then
  ///                of the obstacles and of the frames of the attachments
  Frame frame_of(const State& state, const BodyLayout& layout,
                 std::initializer_list<std::span<const Pose>> others) const;
  /// The end of a step. A contact inside a face of a soft body counts at the body's node nearest to
  /// it.
  Frame frame_of(const StepView& view) const;

 private:
  void add_to_point(const StepView& view, std::int32_t side, const ObjectId& surface,
                    Vec3d position, Vec3d force, ContactState state, Frame* frame) const;

  const TetModel& model_;
  Objects objects_;
  bool has_soft_ = false;
};

class TrajectoryWriter {
 public:
  /// @param stem         folder and name without extension
  /// @param part_frames  frames per part, >= 1; a part is closed earlier once it holds 64 MB, or
  ///                     with the first frame that comes part_seconds after its first
  TrajectoryWriter(std::string stem, RecordedTopology topology, int part_frames,
                   double part_seconds = 10);

  void append(Frame frame);
  /// Brings all frames to the disk. @return how many there are
  std::int64_t close_frames();
  /// Goes on with the first n_frame frames of what lies on the disk, whole or in parts; those
  /// behind them are removed. Before anything is appended.
  /// @throws RuntimeError where there are fewer
  void go_on_from(std::int64_t n_frame);
  /// Merges everything into `<stem>.vtkhdf`, the same bytes whatever the parts were. Without a
  /// frame there is no file.
  /// @param go_on  asked before every part: where it says no, the parts stay. Empty: always
  /// @return false where the parts stayed
  bool finish(const std::function<bool()>& go_on = {});
  /// finish() in two parts, for many trajectories at once: prepare() writes the whole under a
  /// temporary name, publish() gives it its own; between them the caller makes the folder's disk
  /// durable, and after them the folder.
  bool prepare(const std::function<bool()>& go_on = {});
  void publish();
  /// After publish(): the files, without folder, and their frames.
  const std::vector<std::pair<std::string, std::int64_t>>& files() const { return files_; }

 private:
  std::string part_path(int part) const;
  std::vector<std::string> parts_there() const;
  void close_part();
  FrameList open_list() const;
  void write_open(const std::string& path);
  std::string whole_path() const { return stem_ + ".vtkhdf"; }
  bool merge_parts(const std::function<bool()>& go_on);

  std::string stem_;
  RecordedTopology topology_;
  std::size_t part_frames_;
  std::chrono::duration<double> part_time_;
  std::chrono::steady_clock::time_point opened_;  ///< first frame of the open part
  int n_part_ = 0;
  bool prepared_ = false;                       ///< the whole lies under its temporary name
  std::vector<std::int64_t> part_frame_count_;  ///< of closed parts
  std::vector<std::pair<std::string, std::int64_t>> files_;  ///< after finish()
  FrameList closed_;                                         ///< the frames in closed parts
  std::vector<Frame> open_;  ///< frames of the part that is being collected
  std::int64_t open_byte_ = 0;
};

}  // namespace nodia
