#include "scenarios/build/large_meshes.hpp"

#include <algorithm>
#include <utility>

namespace nodia {
namespace {

constexpr double kLarge_m = 10, kOutOfProportion = 10;

/// Longest and shortest edge of a bounding box, in the frame of the object.
struct Extent {
  double longest_m = 0, shortest_m = 0;
};

Extent extent_of(Vec3d size) {
  return {std::max({size.x, size.y, size.z}), std::min({size.x, size.y, size.z})};
}
Extent extent_of(const Shape& shape) {
  const ShapeBounds box = bounds_of(shape);
  return extent_of(box.hi - box.lo);
}
Extent extent_of(const std::vector<Vec3d>& points) {
  Vec3d low = points.front(), high = low;
  for (const Vec3d x : points)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], x[axis]);
      high[axis] = std::max(high[axis], x[axis]);
    }
  return extent_of(high - low);
}

/// Collects the large meshes that come from files, and the size of the largest other object.
class ExtentFinder {
 public:
  explicit ExtentFinder(const std::vector<std::string>& read_bodies) : read_bodies_(read_bodies) {}

  void look(const std::string& path, const SoftBodyDescription& body) {
    const double longest_m = extent_of(body.mesh.nodes).longest_m;
    if (std::find(read_bodies_.begin(), read_bodies_.end(), body.name) == read_bodies_.end())
      add_given(longest_m);
    else
      add_read({path, longest_m});
  }
  void look(const std::string& path, const RigidBodyDescription& body) {
    for (const PlacedShape& placed : shapes_of(body)) {
      if (placed.grid)
        add_read({path, extent_of(placed.shape).longest_m});
      else
        add_given(extent_of(placed.shape).longest_m);
    }
  }
  void look(const std::string&, const CompoundDescription& body) {
    for (const PlacedShape& placed : shapes_of(body)) add_given(extent_of(placed.shape).longest_m);
  }
  void look(const std::string&, const CableDescription& cable) { add_given(length_of(cable)); }
  void look(const std::string& path, const ObstacleDescription& obstacle) {
    if (obstacle.grid) {
      const Extent extent = extent_of(obstacle.shape);
      if (extent.shortest_m > kLarge_m) add_read({path, extent.longest_m});
    } else if (is_bounded(obstacle.shape)) {
      add_given(extent_of(obstacle.shape).longest_m);
    }
  }
  void look(const std::string& path, const RobotSceneDescription& robot) {
    auto grid = robot.grids.begin();
    for (const RobotLink& link : robot.robot.links)
      for (const LinkCollision& collision : link.collisions) {
        if (collision.mesh_path.empty())
          add_given(extent_of(collision.shape).longest_m);
        else if (grid != robot.grids.end())  // a robot with `collides: false` has no grids
          add_read({path, extent_of((*grid++)->vertices()).longest_m, &link, &collision});
      }
  }

  std::vector<LargeMesh> take() {
    std::erase_if(read_, [&](const LargeMesh& mesh) {
      return mesh.length_m < kOutOfProportion * largest_given_m_;
    });
    return std::move(read_);
  }

 private:
  void add_given(double longest_m) { largest_given_m_ = std::max(largest_given_m_, longest_m); }
  void add_read(const LargeMesh& mesh) {
    if (mesh.length_m > kLarge_m) read_.push_back(mesh);
  }

  const std::vector<std::string>& read_bodies_;
  double largest_given_m_ = 0;
  std::vector<LargeMesh> read_;
};

}  // namespace

std::vector<LargeMesh> large_meshes(const Scene& scene,
                                    const std::vector<std::string>& read_bodies) {
  ExtentFinder finder(read_bodies);
  visit_objects(scene, [&](ObjectKind, const std::string& group, const auto& objects) {
    for (const auto& object : objects) finder.look(group + "." + object.name, object);
  });
  return finder.take();
}

}  // namespace nodia
