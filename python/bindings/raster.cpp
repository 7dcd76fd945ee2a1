#include "python/bindings/raster.hpp"

#include <algorithm>
#include <cmath>

namespace nodia::python {
namespace {

double twice_area(Vec3d a, Vec3d b, double x, double y) {
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

/// First and last of the n pixels whose centres are in [low, high]; first > last if there is none.
std::array<int, 2> pixels_between(double low, double high, int n) {
  return {static_cast<int>(std::clamp(std::ceil(low - 0.5), 0.0, double(n))),
          static_cast<int>(std::clamp(std::floor(high - 0.5), -1.0, double(n - 1)))};
}

}  // namespace

void Raster::draw(const std::array<Vec3d, 3>& p, const std::array<Vec3d, 3>& c) {
  if (!std::all_of(p.begin(), p.end(), [](Vec3d q) { return is_finite(q) && q.z > 0; })) return;
  const double area = twice_area(p[0], p[1], p[2].x, p[2].y);
  if (area == 0) return;
  const auto [left, right] =
      pixels_between(std::min({p[0].x, p[1].x, p[2].x}), std::max({p[0].x, p[1].x, p[2].x}), width);
  const auto [top, bottom] = pixels_between(std::min({p[0].y, p[1].y, p[2].y}),
                                            std::max({p[0].y, p[1].y, p[2].y}), height);
  for (int row = top; row <= bottom; ++row)
    for (int column = left; column <= right; ++column) {
      const double x = column + 0.5, y = row + 0.5;
      const double s0 = twice_area(p[1], p[2], x, y) / area,
                   s1 = twice_area(p[2], p[0], x, y) / area, s2 = 1 - s0 - s1;
      if (s0 < 0 || s1 < 0 || s2 < 0) continue;
      const auto pixel = static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                         static_cast<std::size_t>(column);
      const auto near = static_cast<float>(s0 * p[0].z + s1 * p[1].z + s2 * p[2].z);
      if (near <= nearness[pixel]) continue;
      nearness[pixel] = near;
      const Vec3d seen = s0 * c[0] + s1 * c[1] + s2 * c[2];
      colour[3 * pixel] = static_cast<float>(seen.x);
      colour[3 * pixel + 1] = static_cast<float>(seen.y);
      colour[3 * pixel + 2] = static_cast<float>(seen.z);
    }
}

}  // namespace nodia::python
