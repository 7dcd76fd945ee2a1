#include "host/collision/concave_faces.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace nodia {
namespace {

constexpr std::size_t kMostFaces = 16;
constexpr double kOneFace = 0.99;      // cosine
constexpr double kShareOfSize = 1e-9;  // rounding, as a share of the size of a triangle

double size_of_face(const NearFace& f) {
  return norm(f.corner[1] - f.corner[0]) + norm(f.corner[2] - f.corner[0]);
}

double height_above(const NearFace& f, Vec3d p) {
  return dot(p - f.corner[0], f.normal);
}

/// Edge of the triangle on which the foot is; -1: the foot is inside, -2: at a corner.
int side_of_foot(const NearFace& f) {
  switch (f.foot.feature) {
    case kFace:
      return -1;
    case kEdgeAB:
      return 0;
    case kEdgeBC:
      return 1;
    case kEdgeCA:
      return 2;
    default:
      return -2;
  }
}

/// True if the surface beside edge `side` of f rises above its plane, or continues in it and the
/// edge has the foot of the plane; and the triangle there has its foot inside or on the edge, too.
/// If that foot is elsewhere, the ball passes beside both triangles.
bool is_concave(const NearFace& f, int side, const std::vector<NearFace>& faces) {
  const double size = size_of_face(f);
  const bool has_foot = f.foot.squared_distance - f.height * f.height < kShareOfSize * size * size;
  const double least = (has_foot ? -1 : 1) * kShareOfSize * size;
  const std::int32_t edge = f.edge[static_cast<std::size_t>(side)];
  return std::any_of(faces.begin(), faces.end(), [&](const NearFace& other) {
    if (other.triangle == f.triangle) return false;
    for (int k = 0; k < 3; ++k) {
      if (other.edge[static_cast<std::size_t>(k)] != edge) continue;
      const int foot = side_of_foot(other);
      return (foot == -1 || foot == k) &&
             height_above(f, other.corner[static_cast<std::size_t>((k + 2) % 3)]) > least;
    }
    return false;
  });
}

/// True if the segment from p to q passes through the inside of the triangle.
bool crosses(const NearFace& f, Vec3d p, Vec3d q) {
  const double from = height_above(f, p), to = height_above(f, q),
               slack = kShareOfSize * size_of_face(f);
  if (!(from > slack && to < -slack) && !(from < -slack && to > slack)) return false;
  const Vec3d at = p + (from / (from - to)) * (q - p);
  return closest_on_triangle(at, f.corner[0], f.corner[1], f.corner[2]).feature == kFace;
}

bool is_barrier(const NearBall& ball, const NearFace& f, const std::vector<NearFace>& faces) {
  if (squared_norm(f.normal) == 0 || dot(f.normal, ball.outward) > kNotFacing) return false;
  const Vec3d closest = ball.centre - ball.closest.distance * ball.closest.normal;
  if (f.height < 0 &&
      (height_above(f, closest) < -kShareOfSize * size_of_face(f) ||
       -f.height > 2 * std::fabs(ball.closest.distance) + kShareOfSize * size_of_face(f))) {
    return false;
  }
  const int side = side_of_foot(f);
  return side == -1 || (side >= 0 && is_concave(f, side, faces));
}

}  // namespace

void add_near_face(Vec3d centre, double reach, std::int32_t triangle,
                   const std::array<Vec3d, 3>& corner, const std::array<std::int32_t, 3>& edge,
                   Vec3d normal, std::vector<NearFace>* faces) {
  const double height = dot(centre - corner[0], normal);
  if (!(std::fabs(height) <= reach)) return;
  const TrianglePoint foot = closest_on_triangle(centre, corner[0], corner[1], corner[2]);
  if (foot.squared_distance <= reach * reach)
    faces->push_back({triangle, corner, edge, normal, foot, height});
}

void keep_barriers(const NearBall& ball, std::vector<NearFace>* faces) {
  std::vector<NearFace> kept;
  std::vector<const NearFace*> candidates;
  for (const NearFace& f : *faces)
    if (dot(f.normal, ball.closest.normal) < kOneFace && is_barrier(ball, f, *faces))
      candidates.push_back(&f);
  std::sort(candidates.begin(), candidates.end(), [](const NearFace* a, const NearFace* b) {
    return std::tie(a->height, a->triangle) < std::tie(b->height, b->triangle);
  });
  for (const NearFace* f : candidates) {
    if (kept.size() == kMostFaces) break;
    const bool is_known = std::any_of(kept.begin(), kept.end(), [&](const NearFace& other) {
      return dot(other.normal, f->normal) > kOneFace;
    });
    const bool is_hidden = std::any_of(faces->begin(), faces->end(), [&](const NearFace& other) {
      return &other != f && crosses(other, ball.centre, f->foot.point);
    });
    if (!is_known && !is_hidden) kept.push_back(*f);
  }
  faces->swap(kept);
}

}  // namespace nodia
