/// Long work that Ctrl-C can end.
#pragma once

#include <functional>
#include <memory>
#include <utility>

namespace nodia::python {

/// Runs work in a thread of its own, and lets Python handle signals while the caller waits.
///
/// If a signal handler raises (KeyboardInterrupt after Ctrl-C), the call ends at once. The work
/// itself cannot be stopped: it runs to its end in the background, and its result is dropped. A
/// process that exits does not wait for it.
///
/// @param work  owns everything that it uses, and uses nothing of Python
/// @throws what the work throws; nb::python_error if a signal handler raises
/// @pre the caller has the GIL
void run_interruptible(std::function<void()> work);

/// @param make  copyable; returns a pointer to a new object
/// @return the pointer. @throws as run_interruptible
template <class Make>
auto make_interruptible(Make make) {
  const auto made = std::make_shared<decltype(make())>();
  run_interruptible([make = std::move(make), made] { *made = make(); });
  return std::move(*made);
}

}  // namespace nodia::python
