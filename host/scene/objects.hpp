/// Table of a scene's objects: everything with a surface, each with a number, an id and a name.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// An object of a scene, or a link of one.
struct ObjectId {
  ObjectKind kind = ObjectKind::obstacle;
  std::int32_t index = 0;  ///< index in the scene's list of that kind
  std::int32_t link = 0;   ///< index of the link of a robot or a cable
};

/// True if both are the same object, for any links.
inline bool same_object(const ObjectId& a, const ObjectId& b) {
  return a.kind == b.kind && a.index == b.index;
}

struct SceneObject {
  ObjectId id;
  SurfaceMaterial surface;
  bool self_contact = false;
};

/// Made once from a scene. Callers look up a name here once and then use the number.
class Objects {
 public:
  explicit Objects(const Scene& scene);

  /// Objects in the order of ObjectKind. The number of an object is its index here.
  const std::vector<SceneObject>& all() const { return all_; }
  std::int32_t size() const { return static_cast<std::int32_t>(all_.size()); }
  const SceneObject& operator[](std::int32_t number) const {
    return all_[static_cast<std::size_t>(number)];
  }
  const std::string& name(std::int32_t number) const { return (*this)[number].surface.name; }
  std::vector<std::string> names() const;
  /// Number of an object; at least size() if the scene does not have it.
  std::int32_t number(const ObjectId& id) const {
    const auto kind = static_cast<std::size_t>(id.kind);
    return id.index < first_[kind + 1] - first_[kind] ? first_[kind] + id.index : size();
  }
  /// Number of the object with this name, -1 if there is none.
  std::int32_t find(const std::string& name) const;

 private:
  std::vector<SceneObject> all_;
  std::int32_t first_[kObjectKinds + 1] = {};  ///< number of each kind's first object, and the end
  std::unordered_map<std::string, std::int32_t> number_;  ///< number by name
};

}  // namespace nodia
