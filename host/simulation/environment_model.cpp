#include "host/simulation/environment_model.hpp"

#include <algorithm>
#include <utility>

namespace nodia {
namespace {

Scene validated(Scene scene) {
  scene.validate();
  return scene;
}

}  // namespace

EnvironmentModel::EnvironmentModel(Scene scene_of_environment, TopologyPool* pool, State* initial)
    : scene(validated(std::move(scene_of_environment))),
      system(scene),
      commands(scene, system),
      overlap_watch(scene),
      impacts(scene, &system) {
  *initial = system.initial_state();
  mounts = Mounts(scene, commands.targets().mounts, &system);
  attachments = Attachments(scene, commands.targets().attachments, system, initial->x);
  force_sensors = ForceSensors(scene, system);
  Couplings couplings = mounts.couplings(system);
  for (const auto& pair : attachments.couplings()) couplings.push_back(pair);
  system.fix_topology(couplings, pool);
  external_forces = ExternalForces(scene, system);
  finder = std::make_unique<ContactFinder>(scene, commands.targets().obstacles, system);
}

const std::shared_ptr<const ObstacleContacts>& EnvironmentModel::obstacle_contacts() {
  if (!obstacle_contacts_) {
    // A device has no terms that couple two soft bodies.
    const std::vector<AttachmentDescription>& all = scene.attachments;
    const bool joins_soft_bodies =
        std::any_of(all.begin(), all.end(), [](const auto& a) { return !a.to.empty(); });
    obstacle_contacts_ = joins_soft_bodies ? nullptr : finder->obstacle_contacts(system);
  }
  return *obstacle_contacts_;
}

}  // namespace nodia
