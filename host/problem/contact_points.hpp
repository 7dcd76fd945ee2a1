/// Contact points that are not nodes: on a rigid body, a robot's link, a cable's segment, inside a
/// triangle of a soft surface.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/mat3.hpp"

namespace nodia {

/// Velocity of point k from the rows of the system:  v_k = sum_e J_e v[row_e], e in [begin[k],
/// begin[k + 1])  [m/s]; a force f on it acts on its rows as J_e^T f. (Jv of Lee et al., (14).)
struct ContactPoints {
  std::vector<std::int32_t> begin{0};  ///< [size + 1] into row and J
  std::vector<std::int32_t> row;       ///< ascending within a point
  std::vector<Mat3d> J;

  int size() const { return static_cast<int>(begin.size()) - 1; }
  /// Adds a term to the point that the next finish() completes.
  void add(std::int32_t parent_row, const Mat3d& jacobian) {
    row.push_back(parent_row);
    J.push_back(jacobian);
  }
  /// @return index of the point
  int finish() {
    begin.push_back(static_cast<std::int32_t>(row.size()));
    return size() - 1;
  }
  void clear() { truncate(0); }
  /// Removes the points with index >= `n`.
  void truncate(int n) {
    begin.resize(static_cast<std::size_t>(n) + 1);
    row.resize(static_cast<std::size_t>(begin.back()));
    J.resize(row.size());
  }

  /// True if a row of the system moves point k. False if every entry of J is a rounding error, as
  /// at a point on the axis of a hinge.
  bool moves(int k) const {
    constexpr double kRounding = 1e-12;  // for lever arms of about 1 m
    for (std::int32_t e = begin[k]; e < begin[k + 1]; ++e)
      for (const Vec3d& of_row : J[e].row)
        if (norm(of_row) > kRounding) return true;
    return false;
  }

  /// Velocity of point k [m/s].
  Vec3d velocity(int k, const Vec3d* v) const {
    Vec3d sum{};
    for (std::int32_t e = begin[k]; e < begin[k + 1]; ++e) sum += J[e] * v[row[e]];
    return sum;
  }
};

}  // namespace nodia
