/// Window of time steps that a check evaluates.
#pragma once

#include <string>

#include <fmt/format.h>

#include "host/io/archive.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// Steps that end in (from, to]. Half a step allows for rounding of times.
class Window {
 public:
  Window(double from_s, double to_s, double step_s)
      : from_s_(from_s + step_s / 2), to_s_(to_s + step_s / 2), last_s_(to_s - step_s / 2) {}

  /// True if a step is in the window. Must be called once for every step.
  bool contains(double time_s) {
    reached_ = reached_ || time_s >= last_s_;
    const bool inside = time_s >= from_s_ && time_s <= to_s_;
    if (inside) ++n_inside_;
    return inside;
  }
  bool reached() const { return reached_; }
  void archive(Archive& a) {
    a("n_inside", n_inside_);
    a("reached", reached_);
  }
  /// Message if the window contains fewer than `least` steps; otherwise empty.
  std::string too_few_steps(int least = 1) const {
    if (n_inside_ >= least) return "";
    return least > 1 ? fmt::format("fewer than {} steps end between from_s and to_s", least)
                     : "no step ends between from_s and to_s";
  }

 private:
  double from_s_, to_s_, last_s_;
  int n_inside_ = 0;
  bool reached_ = false;
};

template <class Check>
void visit_window(DocumentVisitor& v, Check& c) {
  if (v.hides_times()) return;
  v.real({"from_s", "steps that end after it count [s]", "", true}, c.from_s,
         Range::not_negative());
  v.real({"to_s", "the last step that counts ends here [s]", "", true}, c.to_s, Range::positive());
}

}  // namespace nodia
