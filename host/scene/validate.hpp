/// Rules of a scene, object by object; Scene::validate() checks them all. Each function throws
/// ValueError for the first broken rule, with the path of the value in a scenario file.
#pragma once

#include "host/scene/scene.hpp"

namespace nodia {

void validate(const SoftBodyDescription& body);
void validate(const RigidBodyDescription& body);
void validate(const CableDescription& cable);
void validate(const RobotSceneDescription& robot);
void validate(const ObstacleDescription& obstacle);
void validate(const MountDescription& mount, const Scene& scene);
void validate(const AttachmentDescription& attachment, const Scene& scene);
void validate(const ExternalForceDescription& external_force, const Scene& scene);
void validate_friction_pairs(const Scene& scene);
/// @param n_body  number of bodies of all kinds; must be at least one
void require_bodies(std::size_t n_body);

/// @param path  key that names the set
void require_node_set(const std::string& path, const SoftBodyDescription& body,
                      const std::string& node_set);

/// Checks a bounded shape of a body. @param path  of the keys of the shape
void validate_solid(const std::string& path, const PlacedShape& placed);
/// Checks the properties that all bodies with one frame share.
void validate_rigid(const std::string& path, const RigidDescription& body);

/// Checks that a pose is finite and its rotation is one to 1e-9. @param path  of the object
void validate_pose(const std::string& path, const Pose& pose);

}  // namespace nodia
