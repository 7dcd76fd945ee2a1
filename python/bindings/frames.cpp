#include "python/bindings/frames.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "host/io/trajectory.hpp"
#include "python/bindings/arrays.hpp"

namespace nodia::python {

namespace nb = nanobind;

nb::dict frame_of(const Simulation& simulation, int env, const std::optional<StepView>& step) {
  const FrameMaker maker(simulation.scene(env), simulation.model(env));
  Frame f = step ? maker.frame_of(*step)
                 : maker.frame_of(simulation.state(env), simulation.layout(env),
                                  {simulation.link_poses(env), simulation.obstacle_poses(env),
                                   simulation.attachment_poses(env)});
  const std::size_t n_point = f.x.size(), n_pose = f.position.size();
  const std::size_t n_tet = f.von_mises_Pa.size();
  nb::dict d;
  d["time_s"] = f.time_s;
  d["points"] = owned<double>(std::move(f.x), {n_point, 3});
  d["velocity"] = owned<double>(std::move(f.velocity), {n_point, 3});
  d["contact_force"] = owned<double>(std::move(f.contact_force), {n_point, 3});
  d["contact_state"] = owned<std::uint8_t>(std::move(f.contact_state), {n_point});
  d["von_mises_Pa"] = owned<float>(std::move(f.von_mises_Pa), {n_tet});
  d["position"] = owned<double>(std::move(f.position), {n_pose, 3});
  d["orientation_wxyz"] = owned<double>(std::move(f.orientation), {n_pose, 4});
  return d;
}

nb::dict topology_of(const Scene& scene) {
  RecordedTopology t = recorded_topology(scene);
  const std::size_t n_tet = t.tets.size(), n_line = t.lines.size();
  nb::dict d;
  d["tets"] = owned<std::int32_t>(std::move(t.tets), {n_tet, 4});
  d["lines"] = owned<std::int32_t>(std::move(t.lines), {n_line, 2});
  d["poses"] = t.poses;
  d["bodies"] = t.bodies;
  return d;
}

}  // namespace nodia::python
