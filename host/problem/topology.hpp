/// What stays of a problem over the steps, and is the same in equal scenes: which rows there are,
/// to which bodies they belong, what A couples.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fem/matrix/block_matrix.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia {

/// What a row, three numbers of the velocity, is.
enum class RowKind : std::uint8_t {
  node,     ///< velocity of a point on which contacts may act [m/s]
  linear,   ///< velocity of a frame's origin [m/s]
  angular,  ///< angular velocity of the same frame, world axes [rad/s]
  joint,    ///< three generalized coordinates
};

enum class BodyKind : std::uint8_t {
  soft,   ///< nodes
  rigid,  ///< one frame: linear, angular
  chain,  ///< a cable: frames, each coupled with the next and the previous one
  robot,  ///< joints
};

/// "soft", "rigid", "chain" or "robot".
const char* name_of(BodyKind kind);

/// Rows of a frame: linear and angular velocity.
inline constexpr std::int32_t kLinkRows = 2;

/// Whether a solver may treat the rows of such a body as one dense block; contacts then act on the
/// body's points only.
constexpr bool is_dense(BodyKind kind) {
  return kind == BodyKind::rigid || kind == BodyKind::robot;
}

/// Consecutive rows of an environment, counted from its first.
struct Body {
  BodyKind kind = BodyKind::soft;
  std::int32_t first_row = 0, n_row = 0;

  bool operator==(const Body&) const = default;
};

struct Topology {
  BlockPattern pattern;       ///< of the environment's part of A
  std::vector<RowKind> kind;  ///< [n_row], as the bodies say
  std::vector<Body> bodies;   ///< ascending; every row belongs to one
  /// [n_row] Of a node, its place at rest; of a frame its origin's; seen from the origin of the
  /// body (of a cable: from its first frame), axes of the world at t = 0 [m]. Zero for joints.
  /// Empty where nobody knows.
  std::vector<Vec3d> rest;

  int n_row() const { return pattern.n_row(); }
  /// Throws InputError for the first broken rule: a symmetric pattern; bodies in order that cover
  /// the rows, frames of two rows; kinds as bodies say; no rest or a finite one for each row.
  /// @param key  names the topology in messages
  void validate(const std::string& key) const;
};

/// The same content, bit for bit.
bool operator==(const Topology& a, const Topology& b);

/// With the kinds that the bodies say.
Topology make_topology(BlockPattern pattern, std::vector<Body> bodies,
                       std::vector<Vec3d> rest = {});

/// The given bodies, and a soft body for every run of rows in none of them.
/// @param bodies  ascending, apart from each other, inside [0, n_row)
std::vector<Body> with_soft_bodies(const std::vector<Body>& bodies, std::int32_t n_row);

/// The topology's pattern, which keeps the topology alive.
std::shared_ptr<const BlockPattern> pattern_of(const std::shared_ptr<const Topology>& topology);

/// Throws InputError naming `key` unless row ends and columns ascend and are in range, every
/// diagonal block is there and indexed, and every block has its transpose.
void validate_pattern(const BlockPattern& pattern, const std::string& key);

}  // namespace nodia
