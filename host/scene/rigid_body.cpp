#include "host/scene/rigid_body.hpp"

namespace nodia {

std::vector<PlacedShape> shapes_of(const RigidBodyDescription& body) {
  return {{body.shape, body.shape_pose, body.grid}};
}

}  // namespace nodia
