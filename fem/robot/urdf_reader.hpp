/// Turns the elements of a URDF file into a robot description.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "fem/robot/collision_meshes.hpp"
#include "fem/robot/mesh_files.hpp"
#include "fem/robot/robot_description.hpp"
#include "fem/robot/urdf.hpp"
#include "fem/robot/urdf_element.hpp"

namespace nodia {

class UrdfReader {
 public:
  /// @param folder  of the URDF file
  UrdfReader(const UrdfDocument& document, std::filesystem::path folder,
             const UrdfOptions& options);

  /// Links are in depth-first order, children in the order of their joints' names, so that the
  /// result does not depend on the order in the file.
  /// @throws InputError for elements that cannot be read, and for links that are not one tree
  RobotDescription read();

 private:
  using Elements = std::map<std::string, UrdfElement>;

  Elements elements_by_name(const char* tag) const;
  const UrdfElement& link_of(const UrdfElement& joint, const char* end) const;
  std::string find_root() const;
  void check_that_all_are_reached(const std::string& root) const;
  RobotLink link_from(const std::string& name);
  RobotJoint joint_from(const UrdfElement& element);
  void add_collision(const UrdfElement& element, RobotLink* link);
  void read_mesh(const UrdfElement& geometry, const std::string& link, LinkCollision* collision);
  Shape shape_from(const UrdfElement& geometry, bool is_capsule) const;
  void connect_mimics();
  void warn(const UrdfElement& element, const std::string& text);

  const UrdfDocument& document_;
  std::filesystem::path folder_;
  UrdfOptions options_;
  Elements links_, joints_;
  std::map<std::string, std::string> joint_above_;  ///< joint to the parent, by link
  std::map<std::string, std::map<std::string, std::string>>
      children_;                               ///< by link: joint and link of each child
  std::map<std::string, std::int32_t> index_;  ///< in the description, by link
  std::map<std::string, std::string>
      followed_;  ///< joint that a joint mimics, by the name of the mimicking joint
  CollisionMeshes meshes_;
  RobotDescription robot_;
};

}  // namespace nodia
