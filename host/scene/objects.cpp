#include "host/scene/objects.hpp"

namespace nodia {

Objects::Objects(const Scene& scene) {
  visit_objects(scene, [&](ObjectKind kind, const char*, const auto& objects) {
    for (const auto& object : objects) {
      number_.emplace(object.name, size());
      SceneObject entry{{kind, size() - first_[static_cast<std::size_t>(kind)], 0},
                        surface_material(object)};
      if constexpr (requires { object.self_contact; }) entry.self_contact = object.self_contact;
      all_.push_back(std::move(entry));
    }
    first_[static_cast<std::size_t>(kind) + 1] = size();
  });
}

std::vector<std::string> Objects::names() const {
  std::vector<std::string> names;
  for (const SceneObject& object : all_) names.push_back(object.surface.name);
  return names;
}

std::int32_t Objects::find(const std::string& name) const {
  const auto found = number_.find(name);
  return found == number_.end() ? -1 : found->second;
}

}  // namespace nodia
