#include "host/backend/backend.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <new>
#include <tuple>

#include "kernels/core/error.hpp"
#include "python/bindings/bind.hpp"

namespace nodia::python {
namespace {

namespace nb = nanobind;

std::string text_of(const nb::handle& value) {
  return nb::str(value).c_str();
}

/// @param words  values by the names of options_of(); None stands for the default
BackendRequest request_of(const nb::kwargs& words) {
  BackendRequest request;
  request.device.dashes = "";
  for (const BackendOption& option : options_of(&request)) {
    if (!words.contains(option.name)) continue;
    const nb::object value = words[option.name];
    if (value.is_none()) continue;
    if (auto* const* word = std::get_if<std::string*>(&option.value)) {
      **word = text_of(value);
    } else {
      int number = 0;
      if (nb::isinstance<nb::bool_>(value) || !nb::try_cast<int>(value, number))
        throw_bad_value(option.name, text_of(value), "a whole number", "");
      *std::get<std::optional<int>*>(option.value) = number;
    }
  }
  return request;
}

/// Names, values and meanings of the options.
std::vector<std::tuple<std::string, std::string, std::string>> backend_options() {
  BackendRequest request;
  std::vector<std::tuple<std::string, std::string, std::string>> options;
  for (const BackendOption& option : options_of(&request))
    options.emplace_back(option.name, option.values, option.meaning);
  return options;
}

}  // namespace

void bind_backend(nb::module_& m) {
  nb::class_<BackendRequest>(m, "BackendRequest")
      .def("__init__", [](BackendRequest* request, const nb::kwargs& words) {
        new (request) BackendRequest(request_of(words));
      });
  m.def("backend_options", &backend_options);
}

}  // namespace nodia::python
