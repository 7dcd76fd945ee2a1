/// NumPy arrays that own their values, and read-only views of a State.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "host/simulation/state.hpp"
#include "kernels/core/pose.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia::python {

template <class T>
using Array = nanobind::ndarray<nanobind::numpy, T>;
using Shape = std::initializer_list<std::size_t>;

static_assert(sizeof(Vec3d) == 3 * sizeof(double));
static_assert(sizeof(FramePose) == 7 * sizeof(double));

/// Moves values into an array without a copy.
/// @tparam T  type of the numbers in a Value
template <class T, class Value>
Array<T> owned(std::vector<Value> values, Shape shape) {
  static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) % sizeof(T) == 0);
  auto kept = std::make_unique<std::vector<Value>>(std::move(values));
  if (kept->capacity() == 0) kept->reserve(1);
  auto* const data = kept->data();
  const nanobind::capsule owner(
      kept.get(), [](void* p) noexcept { delete static_cast<std::vector<Value>*>(p); });
  static_cast<void>(kept.release());
  return Array<T>(data, shape, owner);
}

/// Read-only view of memory of a state. The array shares the ownership of the state.
/// @param data  first value in the state, null if the shape is empty
inline Array<const double> view(std::shared_ptr<const State> state, const void* data, Shape shape) {
  static const double nothing = 0;
  auto kept = std::make_unique<std::shared_ptr<const State>>(std::move(state));
  const nanobind::capsule owner(
      kept.get(), [](void* p) noexcept { delete static_cast<std::shared_ptr<const State>*>(p); });
  static_cast<void>(kept.release());
  return Array<const double>(data ? static_cast<const double*>(data) : &nothing, shape, owner);
}

}  // namespace nodia::python
