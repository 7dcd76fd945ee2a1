#include "python/bindings/bind.hpp"
#include "python/bindings/fork.hpp"
#include "python/bindings/live_simulation.hpp"

NB_MODULE(_core, m) {
  nodia::python::run_serially_after_fork();
  m.doc() = "Compiled part of the package nodia. Use the classes of nodia instead.";
  nodia::python::bind_errors(m);
  nodia::python::bind_backend(m);
  nodia::python::bind_scenario(m);
  auto simulation = nodia::python::bind_simulation(m);
  nodia::python::bind_commands(m, simulation);
  nodia::python::bind_task(m);
  nodia::python::bind_dataset(m);
  nodia::python::bind_drawing(m);
}
