/// A launcher that counts: what a schedule launches before its loop, in a body of its power
/// iteration and in one of the loop.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/vfpi/schedule.hpp"

namespace nodia::test {

/// As a device launches: a decision has no launch of its own.
struct LaunchRecorder {
  std::vector<std::string_view> before, power, body;
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
    into = into == &before ? &power : &body;
    body_of_loop();
    into = &before;
  }
  void begin_loop() { into = &body; }
};

template <class Precision>
LaunchRecorder launches_of(const ScheduleKey& key) {
  LaunchRecorder recorder;
  VfpiQueue queue;
  VfpiSchedule<Precision, LaunchRecorder>(&recorder, key, nullptr, &queue).solve();
  return recorder;
}

}  // namespace nodia::test
