#include "kernels/core/error.hpp"
#include "python/bindings/bind.hpp"

namespace nodia::python {

namespace nb = nanobind;

void bind_errors(nb::module_& m) {
  nb::exception<InputError>(m, "InputError", PyExc_ValueError).attr("__doc__") =
      "Bad input: a file, a key, a value, an argument; `key = value (must be rule; hint)`.";
  nb::exception<RuntimeError>(m, "RuntimeError", PyExc_RuntimeError).attr("__doc__") =
      "An external failure with good input: disk full, device lost.";
  for (const char* name : {"InputError", "RuntimeError"}) m.attr(name).attr("__module__") = "nodia";
}

}  // namespace nodia::python
