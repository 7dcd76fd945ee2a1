#include "python/bindings/bind.hpp"

NB_MODULE(_core, m) {
  m.doc() = "What the package nodia is made of; nodia's own classes are the ones to use.";
  nodia::python::bind_errors(m);
  nodia::python::bind_scenario(m);
  nodia::python::bind_simulation(m);
  nodia::python::bind_drawing(m);
}
