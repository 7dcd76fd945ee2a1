/// The parts of one environment that its scene determines.
#pragma once

#include <memory>
#include <optional>

#include "host/simulation/attachments.hpp"
#include "host/simulation/contact_finder.hpp"
#include "host/simulation/energy_watch.hpp"
#include "host/simulation/external_forces.hpp"
#include "host/simulation/force_sensors.hpp"
#include "host/simulation/mounts.hpp"
#include "host/simulation/overlap_watch.hpp"
#include "host/simulation/target_commands.hpp"

namespace nodia {

/// Bodies, constraints, external forces, sensors and contact detection of one scene. Environment
/// owns it. The parts keep references to each other, so that it is neither copied nor moved.
struct EnvironmentModel {
  /// @param pool     shares topologies between equal scenes
  /// @param initial  out: state at t = 0
  /// @throws InputError for a bad scene
  EnvironmentModel(Scene scene_of_environment, TopologyPool* pool, State* initial);
  EnvironmentModel(const EnvironmentModel&) = delete;
  EnvironmentModel& operator=(const EnvironmentModel&) = delete;

  /// Contacts of soft nodes and soft surfaces that a solver can generate. Null if other contacts
  /// are possible. The first call computes them.
  const std::shared_ptr<const ObstacleContacts>& obstacle_contacts();
  /// True if obstacle_contacts() was called and is not null.
  bool has_obstacle_contacts() const {
    return obstacle_contacts_ && *obstacle_contacts_ != nullptr;
  }

  Scene scene;
  BodySystem system;
  TargetCommands commands;
  OverlapWatch overlap_watch;
  EnergyWatch energy_watch;
  Mounts mounts;
  Attachments attachments;
  ExternalForces external_forces;
  ForceSensors force_sensors;
  Impacts impacts;
  std::unique_ptr<ContactFinder> finder;

 private:
  std::optional<std::shared_ptr<const ObstacleContacts>> obstacle_contacts_;
};

}  // namespace nodia
