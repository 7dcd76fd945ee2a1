/// The rules of a scene, object by object; Scene::validate holds them all. Each throws ValueError
/// for the first that is broken, with the path that a scenario file has for the value.
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
/// @param n_body  of all kinds, at least one
void require_bodies(std::size_t n_body);

/// @param path  of the key that names the set
void require_node_set(const std::string& path, const SoftBodyDescription& body,
                      const std::string& node_set);

/// A bounded shape of a body. @param path  that has the keys of the shape
void validate_solid(const std::string& path, const PlacedShape& placed);
/// What all bodies of one frame have in common.
void validate_rigid(const std::string& path, const RigidDescription& body);

/// Finite, and a rotation to 1e-9. @param path  of the object
void validate_pose(const std::string& path, const Pose& pose);

}  // namespace nodia
