#include "host/simulation/memory_estimate.hpp"

namespace nodia {
namespace {

// Measured resident memory of runs: a box, boxes of 18 nodes, the soft mat, balls of 30,000 and
// 100,000 nodes, the winding cable, alone and in batches.
constexpr double kEnvironmentBytes = 12e3, kRigidBodyBytes = 4e3, kSoftNodeBytes = 7.5e3,
                 kCableLinkBytes = 6e3, kRobotLinkBytes = 10e3;

struct Counts {
  double n_node = 0, n_tet = 0, n_link = 0, n_robot_link = 0, n_rigid = 0;

  void add(const SoftBodyDescription& body) {
    n_node += static_cast<double>(body.mesh.nodes.size());
    n_tet += static_cast<double>(body.mesh.tets.size());
  }
  void add(const CableDescription& cable) { n_link += cable.links; }
  void add(const RobotSceneDescription& robot) {
    n_robot_link += static_cast<double>(robot.robot.links.size());
  }
  void add(const RigidDescription&) { ++n_rigid; }
  void add(const ObstacleDescription&) {}
};

Counts counts_of(const Scene& scene) {
  Counts c;
  visit_objects(scene, [&](ObjectKind, const char*, const auto& objects) {
    for (const auto& object : objects) c.add(object);
  });
  return c;
}

}  // namespace

double estimated_bytes(const Scene& scene) {
  const Counts c = counts_of(scene);
  return kEnvironmentBytes + kSoftNodeBytes * c.n_node + kCableLinkBytes * c.n_link +
         kRobotLinkBytes * c.n_robot_link + kRigidBodyBytes * c.n_rigid;
}

double estimated_frame_bytes(const Scene& scene) {
  const Counts c = counts_of(scene);
  return 73 * (c.n_node + c.n_link) + 4 * c.n_tet + 56 * (c.n_rigid + c.n_robot_link);
}

}  // namespace nodia
