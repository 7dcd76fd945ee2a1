/// Temporal VTKHDF files of soft bodies and cables (format version 2.0; VTK >= 9.4, ParaView >=
/// 5.13, h5py), with additional groups for data that VTK does not define.
///
/// /VTKHDF contains the topology once, and N frames one after the other. Points are the nodes of
/// the soft bodies, then the link centres of the cables. Cells are the tetrahedra, then a line from
/// each link to the next. Frame i has rows [i n_point, (i+1) n_point) of
///   Points                   [m]      float64: a run can be continued from the file
///   PointData/velocity       [m/s]    float64
///   PointData/contact_force  [N]      float64: sum over the point's contacts, world frame
///   PointData/contact_state  uint8    0 open, 1 stick, 2 slip; the largest of several contacts
/// and rows [i n_cell, (i+1) n_cell) of
///   CellData/von_mises_Pa    [Pa]     float32: for pictures; NaN for lines.
/// Steps/Values contains the times [s].
///
/// /nodia/frames contains the poses of rigid bodies (centre of mass) and compounds, robot links,
/// obstacles and frames of attachments (old files lack the last two):
///   position         [m]  float64 [N, n_pose, 3]
///   orientation_wxyz      float64 [N, n_pose, 4]
///   description           UTF-8 of a JSON list of n_pose objects: name, kind (rigid_body,
///                         compound, robot_link, obstacle or attachment), robot of a link, shapes
///                         (with the keys of a scenario's shapes, and their poses in the frame; a
///                         mesh has file and scale, or no file if the run's config.yaml names it;
///                         an attachment has no shapes)
///
/// /nodia/contacts contains every contact of every frame. Frame i has rows offsets[i] to offsets[i
/// + 1] of
///   the columns of contact_quantities() with a name in trajectories: float64, uint8 or int32 [n],
///   or float64 [n, 3]; a body is an index in the JSON list `bodies` (name, kind)
/// Values are in chunks with checksums (fletcher32), and all metadata have checksums: HDF5 1.10 and
/// newer read them, and reject damaged ones.
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

/// Data that do not change over time.
struct RecordedTopology {
  std::int64_t n_point = 0;
  std::vector<std::array<std::int32_t, 4>> tets;
  std::vector<std::array<std::int32_t, 2>> lines;
  std::int64_t n_pose = 0;
  std::string poses = "[]";   ///< JSON, /nodia/frames/description
  std::string bodies = "[]";  ///< JSON, /nodia/contacts/bodies

  std::int64_t n_cell() const { return static_cast<std::int64_t>(tets.size() + lines.size()); }
  /// Size of a file with `n_frame` frames and `n_contact` contacts in all, rounded up [byte].
  std::int64_t file_size(std::int64_t n_frame, std::int64_t n_contact) const;
};

/// Contents of a file's frames, known before they are written.
struct FrameList {
  std::vector<double> time_s;           ///< ascending
  std::vector<std::int64_t> n_contact;  ///< per frame
};

class VtkhdfReader;

/// Writes a file of known length, which is complete after close().
class VtkhdfWriter {
 public:
  /// @throws RuntimeError if the disk has no room
  VtkhdfWriter(const std::string& path, const RecordedTopology& topology, const FrameList& frames);
  ~VtkhdfWriter();
  void write(std::int64_t i, const Frame& frame);
  /// Writes the frames of a VtkhdfWriter's file with the same topology, from frame `first` on. All
  /// of them are in memory at once.
  void write_all(std::int64_t first, const VtkhdfReader& other);
  /// @throws RuntimeError if buffered data cannot be written
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads a file of VtkhdfWriter, or of a version before /nodia. @throws InputError if it is neither
class VtkhdfReader {
 public:
  explicit VtkhdfReader(const std::string& path);
  ~VtkhdfReader();
  const RecordedTopology& topology() const;
  const std::vector<double>& time_s() const;
  std::vector<std::int64_t> n_contact() const;  ///< per frame
  Frame read(std::int64_t i) const;
  /// Reads every value of the file, so that every checksum is compared. @return number of frames
  /// @throws InputError that names a dataset that cannot be read
  std::int64_t read_everything() const;

 private:
  friend class VtkhdfWriter;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nodia
