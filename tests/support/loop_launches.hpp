/// A launcher that counts: what a schedule launches before its loop, and in a body of it.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/vfpi/schedule.hpp"

namespace nodia::test {

/// As a device launches: a decision has no launch of its own.
struct LaunchRecorder {
  std::vector<std::string_view> before, body;
  std::vector<std::string_view>* into = &before;

  template <class Kernel, class Count>
  void launch(const char* name, const Kernel&, Count) {
    into->push_back(name);
  }
  template <class Kernel, class Count, class Decision>
  void launch_then(const char* name, const Kernel&, Count, const char*, const Decision&) {
    into->push_back(name);
  }
  template <class Kernel, class Count, class Decision>
  void launch_last(const char* name, const Kernel&, Count, const char*, const Decision&) {
    into->push_back(name);
  }
  template <class Body>
  void repeat_while(LoopCondition*, const Body& body_of_loop) {
    into = &body;
    body_of_loop();
  }
};

template <class Precision>
LaunchRecorder launches_of(const ScheduleKey& key) {
  LaunchRecorder recorder;
  VfpiQueue queue;
  VfpiSchedule<Precision, LaunchRecorder>(&recorder, key, nullptr, &queue).solve();
  return recorder;
}

}  // namespace nodia::test
