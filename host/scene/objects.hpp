/// The table of a scene's objects: all that has a surface, each by a number, an id and a name.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// An object of a scene, or a part of one.
struct ObjectId {
  ObjectKind kind = ObjectKind::obstacle;
  std::int32_t index = 0;  ///< in the scene's list of that kind
  std::int32_t link = 0;   ///< of a robot or a cable
};

/// The same object, whatever the link.
inline bool same_object(const ObjectId& a, const ObjectId& b) {
  return a.kind == b.kind && a.index == b.index;
}

struct SceneObject {
  ObjectId id;
  SurfaceMaterial surface;
  bool self_contact = false;
};

/// Made once from a scene; who needs an object looks its name up here, once.
class Objects {
 public:
  explicit Objects(const Scene& scene);

  /// In the order of ObjectKind; an object's number is its place here.
  const std::vector<SceneObject>& all() const { return all_; }
  std::int32_t size() const { return static_cast<std::int32_t>(all_.size()); }
  const SceneObject& operator[](std::int32_t number) const {
    return all_[static_cast<std::size_t>(number)];
  }
  const std::string& name(std::int32_t number) const { return (*this)[number].surface.name; }
  std::vector<std::string> names() const;
  /// Of an object; size() or more where the scene does not have it.
  std::int32_t number(const ObjectId& id) const {
    const auto kind = static_cast<std::size_t>(id.kind);
    return id.index < first_[kind + 1] - first_[kind] ? first_[kind] + id.index : size();
  }
  /// Number of the object of this name, -1 where there is none.
  std::int32_t find(const std::string& name) const;

 private:
  std::vector<SceneObject> all_;
  std::int32_t first_[kObjectKinds + 1] = {};  ///< number of a kind's first object, and the end
  std::unordered_map<std::string, std::int32_t> number_;  ///< by name
};

}  // namespace nodia
