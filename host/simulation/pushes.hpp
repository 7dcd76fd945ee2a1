/// The pushes of a scene on the rows of one environment, step by step.
#pragma once

#include <utility>
#include <vector>

#include "host/simulation/body_system.hpp"

namespace nodia {

class Pushes {
 public:
  Pushes() = default;
  /// @param system  with its topology
  Pushes(const Scene& scene, const BodySystem& system);

  /// The step that all other functions are about, from `start` to `end_s`.
  /// @param system  its robots are those of the last update_kinematics()
  void begin_step(const State& start, double end_s, const BodySystem& system);

  /// Mean over the step, per row [N], generalized of robots; null where no push acts in it.
  const std::vector<Vec3d>* force() const { return acts_ ? &force_ : nullptr; }
  /// Adds what nodes and frames gain of velocity. @param v  of all rows
  void fall(Vec3d* v) const;
  /// Done in the step; of robots to first order of its length [J]. @param v_hat  of all rows
  double work_J(const Vec3d* v_hat) const;
  void add_link_loads(std::vector<LinkLoad>* loads) const;

 private:
  struct Push {
    PushDescription description;
    /// Rows of a body that is no robot, each with its share of the force [-].
    std::vector<std::pair<std::int32_t, double>> shares;
    int robot = -1, link = -1;
    Vec3d centre_in_link{};
    Vec3d mean_N{};  ///< of the step
  };

  void add_to_link(const Push& push, const BodySystem& system);

  double step_s_ = 0;
  std::vector<Push> pushes_;
  /// Rows that some of them move, robots' excepted, each with its mass [kg].
  std::vector<std::pair<std::int32_t, double>> falling_;
  // Of the step.
  bool acts_ = false;
  std::vector<Vec3d> force_;
  std::vector<LinkLoad> loads_;
};

}  // namespace nodia
