/// Temporal VTKHDF files of tetrahedral bodies (format version 2.0; VTK >= 9.4, ParaView >= 5.13,
/// h5py).
///
/// /VTKHDF holds the topology once and N frames one behind the other; frame i owns rows [i n_node,
/// (i+1) n_node) of
///   Points                   [m]      float64: a run can be continued and its energies recomputed
///   from the file PointData/velocity       [m/s]    float64 PointData/contact_force  [N] float64,
///   sum over the node's contacts, world frame PointData/contact_state  uint8    0 open, 1 stick, 2
///   slip; of several contacts the largest
/// and rows [i n_tet, (i+1) n_tet) of
///   CellData/von_mises_Pa    [Pa]     float32: for pictures.
/// Steps/Values holds the times [s]. All datasets are contiguous.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/vec3.hpp"

namespace nodia {

struct Frame {
  double time_s = 0;
  std::vector<Vec3d> x;                     ///< [n_node]
  std::vector<Vec3d> velocity;              ///< [n_node]
  std::vector<Vec3d> contact_force;         ///< [n_node]
  std::vector<std::uint8_t> contact_state;  ///< [n_node]
  std::vector<float> von_mises_Pa;          ///< [n_tet]

  std::int64_t byte_size() const;
};

/// What does not change over time.
struct Topology {
  std::int64_t n_node = 0;
  std::vector<std::array<std::int32_t, 4>> tets;

  /// Of a file with `n_frame` frames, rounded up [byte].
  std::int64_t file_size(std::int64_t n_frame) const;
};

/// Writes a file of known length; it is whole after close().
class VtkhdfWriter {
 public:
  /// @param time_s  of every frame, ascending. @throws RuntimeError when the disk has no room
  VtkhdfWriter(const std::string& path, const Topology& topology,
               const std::vector<double>& time_s);
  ~VtkhdfWriter();
  void write(std::int64_t i, const Frame& frame);
  /// @throws RuntimeError when what was held back cannot be written
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Reads a file of VtkhdfWriter. @throws InputError where it is none
class VtkhdfReader {
 public:
  explicit VtkhdfReader(const std::string& path);
  ~VtkhdfReader();
  const Topology& topology() const;
  const std::vector<double>& time_s() const;
  Frame read(std::int64_t i) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nodia
