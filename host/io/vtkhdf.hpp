/// Temporal VTKHDF files of soft bodies and cables (format version 2.0; VTK >= 9.4, ParaView
/// >= 5.13, h5py), with what VTK has no place for beside them.
///
/// /VTKHDF holds the topology once and N frames one behind the other. Points are the nodes of the
/// soft bodies, then the link centres of the cables; cells are the tetrahedra, then a line from
/// each link to the next. Frame i owns rows [i n_point, (i+1) n_point) of
///   Points                   [m]      float64: a run can be continued from the file
///   PointData/velocity       [m/s]    float64
///   PointData/contact_force  [N]      float64: sum over the point's contacts, world frame
///   PointData/contact_state  uint8    0 open, 1 stick, 2 slip; of several contacts the largest
/// and rows [i n_cell, (i+1) n_cell) of
///   CellData/von_mises_Pa    [Pa]     float32: for pictures; not a number for lines.
/// Steps/Values holds the times [s].
///
/// /nodia/frames holds the poses of rigid bodies (centre of mass) and compounds, robot links,
/// obstacles and frames of attachments (files from before the two last have none of them),
///   position         [m]  float64 [N, n_pose, 3]
///   orientation_wxyz      float64 [N, n_pose, 4]
///   description           UTF-8 of a JSON list of n_pose objects: name, kind (rigid_body,
///                         compound, robot_link, obstacle or attachment), robot of a link, shapes
///                         (with the keys of a scenario's shapes, their poses in the frame; a mesh
///                         with file and scale, or without a file where the run's config.yaml names
///                         it; none of an attachment)
///
/// /nodia/contacts holds every contact of every frame; those of frame i are rows offsets[i] to
/// offsets[i + 1] of
///   the columns of contact_quantities() that have a name in trajectories: float64, uint8 or int32
///   [n], or float64 [n, 3]; a body is an index in the JSON list `bodies` (name, kind)
/// Values lie in pieces with checksums (fletcher32), all metadata have theirs: HDF5 1.10 and newer
/// read them, and refuse what was damaged.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/simulation/contact_quantities.hpp"
#include "kernels/core/pose.hpp"

namespace nodia {

struct Frame {
  double time_s = 0;
  std::vector<Vec3d> x;                     ///< [n_point]
  std::vector<Vec3d> velocity;              ///< [n_point]
  std::vector<Vec3d> contact_force;         ///< [n_point]
  std::vector<std::uint8_t> contact_state;  ///< [n_point]
  std::vector<float> von_mises_Pa;          ///< [n_tet]
  std::vector<Vec3d> position;              ///< [n_pose]
  std::vector<Quaternion> orientation;      ///< [n_pose]
  ContactRecord contacts;

  std::int64_t byte_size() const;
};

/// What does not change over time.
struct RecordedTopology {
  std::int64_t n_point = 0;
  std::vector<std::array<std::int32_t, 4>> tets;
  std::vector<std::array<std::int32_t, 2>> lines;
  std::int64_t n_pose = 0;
  std::string poses = "[]";   ///< JSON, /nodia/frames/description
  std::string bodies = "[]";  ///< JSON, /nodia/contacts/bodies

  std::int64_t n_cell() const { return static_cast<std::int64_t>(tets.size() + lines.size()); }
  /// Of a file with `n_frame` frames and `n_contact` contacts in all, rounded up [byte].
  std::int64_t file_size(std::int64_t n_frame, std::int64_t n_contact) const;
};

/// What the frames of a file hold, known before they are written.
struct FrameList {
  std::vector<double> time_s;           ///< ascending
  std::vector<std::int64_t> n_contact;  ///< per frame
};

class VtkhdfReader;

/// Writes a file of known length; it is whole after close().
class VtkhdfWriter {
 public:
  /// @throws RuntimeError when the disk has no room
  VtkhdfWriter(const std::string& path, const RecordedTopology& topology, const FrameList& frames);
  ~VtkhdfWriter();
  void write(std::int64_t i, const Frame& frame);
  /// The frames of a file of VtkhdfWriter with the same topology, from frame `first` on; all of
  /// them are in memory for a moment.
  void write_all(std::int64_t first, const VtkhdfReader& other);
  /// @throws RuntimeError when what was held back cannot be written
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads a file of VtkhdfWriter, or of a version before /nodia. @throws InputError where it is none
class VtkhdfReader {
 public:
  explicit VtkhdfReader(const std::string& path);
  ~VtkhdfReader();
  const RecordedTopology& topology() const;
  const std::vector<double>& time_s() const;
  std::vector<std::int64_t> n_contact() const;  ///< per frame
  Frame read(std::int64_t i) const;
  /// Every value of the file, so that every checksum is compared. @return frames
  /// @throws InputError naming the dataset that cannot be read
  std::int64_t read_everything() const;

 private:
  friend class VtkhdfWriter;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nodia
