#include "host/io/steps_csv.hpp"

#include <fmt/format.h>

#include "fem/robot/robot_model.hpp"

namespace nodia {
namespace {

constexpr int kRecordedLinks = 9;  ///< recorded links of a cable

const char* const kCommonColumns =
    "env,step,time_s,n_contact,n_stick,n_slip,iterations,status,relative_residual,certificate_J,"
    "energy_error_J,natural_map_error,error_estimate,max_penetration_m,kinetic_energy_J,"
    "potential_energy_J,contact_work_J,frame_work_J,push_work_J,energy_gain_J,dynamics_ms,"
    "solver_ms,work_units,error_bound";

std::vector<std::string> sensor_columns(const Scene& scene) {
  std::vector<std::string> columns;
  for (const std::string& name : sensor_names(scene)) columns.push_back(column_name(name, columns));
  return columns;
}

}  // namespace

StepsCsvColumns::StepsCsvColumns(const Scene& scene, ContactGroups groups)
    : sensors_(sensor_columns(scene)),
      contacts_(scene, groups, sensors_),
      efforts_(effort_columns(scene)) {
  if (scene.cables.size() == 1) cables_ = {""};
  if (scene.cables.size() < 2) return;
  std::vector<std::string> names;
  for (const CableDescription& cable : scene.cables)
    names.push_back(column_name(cable.name, names));
  for (const std::string& name : names) cables_.push_back(name + "_");
}

std::string StepsCsvColumns::header() const {
  std::string header = kCommonColumns;
  for (const std::string& sensor : sensors_)
    for (const char* part : {"fx_N", "fy_N", "fz_N", "tx_Nm", "ty_Nm", "tz_Nm"})
      header += fmt::format(",{}_{}", sensor, part);
  for (const std::string& cable : cables_)
    for (int s = 0; s < kRecordedLinks; ++s)
      for (const char axis : {'x', 'y', 'z'})
        header += fmt::format(",{}link_{}_{}_m", cable, s, axis);
  header += contacts_.header();
  for (const EffortColumn& effort : efforts_) header += "," + effort.name;
  return header;
}

/// Coordinates with actuators of robots with drives.
std::vector<StepsCsvColumns::EffortColumn> StepsCsvColumns::effort_columns(const Scene& scene) {
  std::vector<EffortColumn> columns;
  std::vector<std::string> names;
  std::size_t coordinate = 0;
  for (const RobotSceneDescription& robot : scene.robots) {
    const RobotModel model(robot.robot, robot.base);
    for (const RobotCoordinate& c : model.coordinates()) {
      const std::size_t own = coordinate++;
      if ((robot.joint_drives.empty() && robot.pose_drives.empty()) || c.max_effort == 0) continue;
      names.push_back(column_name(robot.name + "_" + c.joint, names));
      columns.push_back({names.back() + (c.slides ? "_effort_N" : "_effort_Nm"), own});
    }
  }
  return columns;
}

std::string StepsCsvColumns::row(const StepView& view) const {
  const StepRecord& r = view.record;
  CsvRow row;
  row.add(r.env);
  row.add(r.step);
  row.add(r.time_s);
  row.add(r.n_contact);
  row.add(r.n_stick);
  row.add(r.n_slip);
  row.add(r.solve.iterations);
  row.add(name_of(r.solve.status));
  row.add(r.solve.relative_residual);
  row.add(r.solve.certificate_J);
  row.add(r.energy_error_J);
  row.add(r.solve.natural_map_error);
  row.add(r.solve.error_estimate);
  row.add(r.max_penetration_m);
  row.add(r.kinetic_energy_J);
  row.add(r.potential_energy_J);
  row.add(r.contact_work_J);
  row.add(r.frame_work_J);
  row.add(r.push_work_J);
  row.add(r.energy_gain_J);
  row.add(r.dynamics_ms);
  row.add(r.solver_ms);
  row.add(r.solve.work_units);
  row.add(r.solve.error_bound);
  for (std::size_t k = 0; k < sensors_.size(); ++k) {
    if (k >= r.sensors.size()) {
      row.add_empty(6);
      continue;
    }
    row.add(r.sensors[k].force_N);
    row.add(r.sensors[k].torque_Nm);
  }
  std::size_t c = 0;
  for (const BodyRange& body : view.layout.bodies()) {
    if (body.kind != BodyKind::chain || c++ >= cables_.size()) continue;
    for (int s = 0; s < kRecordedLinks; ++s) {
      const std::int32_t frame = body.first + s * (body.n - 1) / (kRecordedLinks - 1);
      row.add(view.state().frames[static_cast<std::size_t>(frame)].position);
    }
  }
  for (; c < cables_.size(); ++c) row.add_empty(3 * kRecordedLinks);
  contacts_.add_to(view, &row);
  for (const EffortColumn& effort : efforts_) {
    if (effort.coordinate < r.efforts.size())
      row.add(r.efforts[effort.coordinate]);
    else
      row.add_empty(1);
  }
  return row.take();
}

}  // namespace nodia
