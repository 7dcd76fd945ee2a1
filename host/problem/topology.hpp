/// Topology of a contact problem, constant over the steps and equal in equal scenes: rows, their
/// bodies, and the pattern of A.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fem/matrix/block_matrix.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia {

/// Kind of a row, i.e. of three numbers of the velocity.
enum class RowKind : std::uint8_t {
  node,     ///< velocity of a point on which contacts may act [m/s]
  linear,   ///< velocity of a frame's origin [m/s]
  angular,  ///< angular velocity of that frame, world axes [rad/s]
  joint,    ///< three generalized coordinates
};

enum class BodyKind : std::uint8_t {
  soft,   ///< soft nodes
  rigid,  ///< one frame: linear, angular
  chain,  ///< cable: frames, each coupled with the next and the previous one
  robot,  ///< joints
};

/// "soft", "rigid", "chain" or "robot".
const char* name_of(BodyKind kind);

/// Rows of a frame: linear and angular velocity.
inline constexpr std::int32_t kLinkRows = 2;

/// True if a solver may use one dense block for the body's rows; contacts then act on points only.
constexpr bool is_dense(BodyKind kind) {
  return kind == BodyKind::rigid || kind == BodyKind::robot;
}

/// Consecutive rows of an environment, counted from its first row.
struct Body {
  BodyKind kind = BodyKind::soft;
  std::int32_t first_row = 0, n_row = 0;

  bool operator==(const Body&) const = default;
};

struct Topology {
  BlockPattern pattern;       ///< pattern of A in the environment
  std::vector<RowKind> kind;  ///< [n_row], consistent with the bodies
  std::vector<Body> bodies;   ///< ascending; every row belongs to one
  /// [n_row] Rest position of a node or of a frame's origin, relative to the origin of the body
  /// (cable: its first frame), world axes at t = 0 [m]. Zero for joints. Empty if unknown.
  std::vector<Vec3d> rest;

  int n_row() const { return pattern.n_row(); }
  /// Throws InputError for the first violated rule: symmetric pattern; ordered bodies that cover
  /// the rows; two rows per frame; kinds consistent with the bodies; rest empty or finite for each
  /// row.
  /// @param key  name of the topology in messages
  void validate(const std::string& key) const;
};

/// True if the content is equal bit for bit.
bool operator==(const Topology& a, const Topology& b);

/// Makes a topology with the row kinds of the bodies.
Topology make_topology(BlockPattern pattern, std::vector<Body> bodies,
                       std::vector<Vec3d> rest = {});

/// Adds a soft body for every run of rows in none of the given bodies.
/// @param bodies  ascending, disjoint, inside [0, n_row)
std::vector<Body> with_soft_bodies(const std::vector<Body>& bodies, std::int32_t n_row);

/// Pattern of the topology; the pointer keeps the topology alive.
std::shared_ptr<const BlockPattern> pattern_of(const std::shared_ptr<const Topology>& topology);

/// Throws InputError with `key` unless row offsets and columns ascend and are in range, every
/// diagonal block exists and is indexed, and every block has its transpose.
void validate_pattern(const BlockPattern& pattern, const std::string& key);

}  // namespace nodia
