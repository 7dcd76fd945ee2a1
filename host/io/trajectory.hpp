/// Trajectory of one environment, written so that a kill loses only the frames after the last
/// closed part.
///
/// During the run, frames are in closed files `<name>.part0000.vtkhdf`, `<name>.part0001.vtkhdf`,
/// ... Each is a complete temporal VTKHDF file, written under a temporary name, synced and renamed.
/// finish() merges them into `<name>.vtkhdf` and removes them. The parts stay until that file has
/// its name, so the disk needs room for the trajectory twice.
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

/// File name without extension: "trajectory" if there is one environment, otherwise
/// "trajectory_env0000", "trajectory_env0001", ...
std::string trajectory_name(int env, int n_env);

/// A scene as points, cells and poses. Points are the soft nodes, then the links of cables, in the
/// order of the bodies. Poses are those of the rigid bodies, then of the robots' links, the
/// obstacles and the frames of the attachments.
RecordedTopology recorded_topology(const Scene& scene);

/// Makes the frames of one environment.
class FrameMaker {
 public:
  /// @param scene, model  belong to the environment; the model must outlive this object
  FrameMaker(const Scene& scene, const TetModel& model);

  /// Frame of a state without contacts.
  /// @param others  poses that the state does not contain: of the robots' links, robot by robot,
  /// then
  ///                of the obstacles and of the frames of the attachments
  Frame frame_of(const State& state, const BodyLayout& layout,
                 std::initializer_list<std::span<const Pose>> others) const;
  /// Frame at the end of a step. A contact inside a face of a soft body counts at the body's
  /// nearest node.
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
  /// @param part_frames  frames per part, >= 1. A part is closed earlier if it has 64 MB, or with
  /// the first frame that is part_seconds later than its first
  TrajectoryWriter(std::string stem, RecordedTopology topology, int part_frames,
                   double part_seconds = 10);

  void append(Frame frame);
  /// Writes all frames to the disk. @return their number
  std::int64_t close_frames();
  /// Continues after the first n_frame frames on the disk, in one file or in parts, and removes
  /// later ones. Call it before frames are appended.
  /// @throws RuntimeError if there are fewer
  void go_on_from(std::int64_t n_frame);
  /// Merges everything into `<stem>.vtkhdf`, with the same bytes for any division into parts.
  /// Without a frame there is no file.
  /// @param go_on  called before every part: if it returns false, the parts stay. Empty: always
  /// merge
  /// @return false if the parts stay
  bool finish(const std::function<bool()>& go_on = {});
  /// finish() in two steps, for many trajectories at once: prepare() writes the complete file under
  /// a temporary name, publish() renames it. Between them, the caller makes the files of the
  /// folder's disk durable; after them, the folder.
  bool prepare(const std::function<bool()>& go_on = {});
  void publish();
  /// After publish(): the files, without the folder, and their numbers of frames.
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
  bool prepared_ = false;  ///< the complete file exists under its temporary name
  std::vector<std::int64_t> part_frame_count_;               ///< frames of each closed part
  std::vector<std::pair<std::string, std::int64_t>> files_;  ///< after finish()
  FrameList closed_;                                         ///< frames in closed parts
  std::vector<Frame> open_;                                  ///< frames of the open part
  std::int64_t open_byte_ = 0;
};

}  // namespace nodia
