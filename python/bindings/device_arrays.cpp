#include "python/bindings/device_arrays.hpp"

#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <utility>
#include <vector>

#include "kernels/device/device.hpp"

namespace nodia::python {
namespace {

namespace nb = nanobind;
using namespace nb::literals;

/// Array in host or device memory, which other libraries import through __dlpack__.
using PortableArray = nb::ndarray<nb::array_api, double>;

/// Array that owns the values. @param data  returns the first number of the values
template <class Values>
PortableArray portable(Values values, double* (*data)(Values*),
                       const std::vector<std::size_t>& shape, int device_type, int device) {
  auto kept = std::make_unique<Values>(std::move(values));
  double* const first = data(kept.get());
  const nb::capsule owner(kept.get(), [](void* p) noexcept { delete static_cast<Values*>(p); });
  static_cast<void>(kept.release());
  return {first,   shape.size(),        shape.data(), owner,
          nullptr, nb::dtype<double>(), device_type,  device};
}

PortableArray here(std::vector<Vec3d> values, const std::vector<std::size_t>& shape) {
  return portable<std::vector<Vec3d>>(
      std::move(values), [](std::vector<Vec3d>* v) { return reinterpret_cast<double*>(v->data()); },
      shape, nb::device::cpu::value, 0);
}

PortableArray there(DeviceNodes nodes, const std::vector<std::size_t>& shape) {
  const bool is_here = device_memory_is_the_hosts();
  const int device = is_here ? 0 : nodes.device;
  return portable<DeviceNodes>(
      std::move(nodes), [](DeviceNodes* n) { return n->values.data(); }, shape,
      is_here ? nb::device::cpu::value : nb::device::cuda::value, device);
}

/// Positions or velocities of the nodes of a soft body, (n_node, 3), or of all environments,
/// (n_env, n_node, 3), if there is no `env`.
/// @throws nb::value_error if the shapes of the environments differ
PortableArray on_device(const LiveSimulation& s, std::optional<int> env, const std::string& name,
                        NodeQuantity quantity) {
  std::vector<Simulation::BodyOf> bodies;
  std::int32_t n_node = 0;
  for (int e = env.value_or(0); e < (env ? *env + 1 : s.n_env()); ++e) {
    const std::int32_t n = s.body(e, name, BodyKind::soft).n;
    if (bodies.empty()) n_node = n;
    if (n != n_node)
      throw nb::value_error(
          fmt::format("{}: shape ({}, 3) in environment {}, ({}, 3) in environment 0 (must be "
                      "equal in one array; read each environment with env=)",
                      name, n, e, n_node)
              .c_str());
    bodies.push_back({e, s.object(e, name)});
  }
  std::vector<std::size_t> shape{static_cast<std::size_t>(n_node), 3};
  if (!env) shape.insert(shape.begin(), bodies.size());
  const Simulation& simulation = s.still(bodies.front().env);
  if (std::optional<DeviceNodes> nodes = simulation.device_nodes(bodies, quantity))
    return there(std::move(*nodes), shape);
  std::vector<Vec3d> values;
  values.reserve(bodies.size() * static_cast<std::size_t>(n_node));
  for (const Simulation::BodyOf& of : bodies) {
    const BodyRange& range = s.body(of.env, name, BodyKind::soft);
    const State& state = simulation.state(of.env);
    const bool is_position = quantity == NodeQuantity::position;
    const auto first =
        is_position ? state.x.begin() + range.first : state.v.begin() + range.first_row;
    values.insert(values.end(), first, first + n_node);
  }
  return here(std::move(values), shape);
}

}  // namespace

void bind_device_arrays(nb::class_<LiveSimulation>& simulation) {
  const auto add = [&](const char* name, auto reader) {
    simulation.def(name, reader, "env"_a.none(), "body"_a);
  };
  add("nodes_on_device",
      [](const LiveSimulation& s, std::optional<int> env, const std::string& body) {
        return on_device(s, env, body, NodeQuantity::position);
      });
  add("velocities_on_device",
      [](const LiveSimulation& s, std::optional<int> env, const std::string& body) {
        return on_device(s, env, body, NodeQuantity::velocity);
      });
}

}  // namespace nodia::python
