#include <nanobind/ndarray.h>

#include "kernels/core/error.hpp"
#include "python/bindings/bind.hpp"
#include "python/bindings/raster.hpp"

namespace nodia::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

using Image = nb::ndarray<float, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;
using Depth = nb::ndarray<float, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Points = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Faces = nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

void draw(const Image& image, const Depth& nearness, const Points& points, const Points& colours,
          const Faces& faces) {
  if (image.shape(0) != nearness.shape(0) || image.shape(1) != nearness.shape(1))
    throw InputError("draw_triangles: image and nearness (must have the same size)");
  if (points.shape(0) != colours.shape(0))
    throw InputError("draw_triangles: points and colours (must have the same length)");
  Raster raster{static_cast<int>(image.shape(1)),
                static_cast<int>(image.shape(0)),
                {image.data(), image.size()},
                {nearness.data(), nearness.size()}};
  const auto n = static_cast<std::int32_t>(points.shape(0));
  for (std::size_t f = 0; f < faces.shape(0); ++f) {
    std::array<Vec3d, 3> point, colour;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t v = faces(f, k);
      if (v < 0 || v >= n) throw InputError("draw_triangles: faces (must be indices of points)");
      const auto i = static_cast<std::size_t>(v);
      point[k] = {points(i, 0), points(i, 1), points(i, 2)};
      colour[k] = {colours(i, 0), colours(i, 1), colours(i, 2)};
    }
    raster.draw(point, colour);
  }
}

}  // namespace

void bind_drawing(nb::module_& m) {
  m.def("draw_triangles", &draw, "image"_a.noconvert(), "nearness"_a.noconvert(), "points"_a,
        "colours"_a, "faces"_a);
}

}  // namespace nodia::python
