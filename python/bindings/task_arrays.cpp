#include "python/bindings/task_arrays.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/arrays.hpp"

namespace nodia::python {

namespace nb = nanobind;

nb::list action_space(const TaskEnvironments& environments) {
  nb::list list;
  for (const ActionComponent& c : environments.action_space())
    list.append(nb::make_tuple(c.name, c.unit, c.low, c.high));
  return list;
}

nb::list observation_space(const TaskEnvironments& environments) {
  nb::list list;
  for (const Observable& o : environments.observation_space())
    list.append(nb::make_tuple(o.name, nb::tuple(nb::cast(o.shape)), o.unit, o.low, o.high));
  return list;
}

nb::dict observations(const TaskEnvironments& environments, bool noisy) {
  const std::vector<Observable>& observed = environments.observation_space();
  nb::dict d;
  for (std::size_t k = 0; k < observed.size(); ++k)
    d[observed[k].name.c_str()] =
        owned<double>(noisy ? environments.observation(static_cast<int>(k))
                            : environments.true_observation(static_cast<int>(k)),
                      {static_cast<std::size_t>(environments.n_env()),
                       static_cast<std::size_t>(observed[k].size())});
  return d;
}

}  // namespace nodia::python
