/// The robots of a scene: three generalized coordinates per row.
#pragma once

#include <utility>

#include "fem/robot/robot_model.hpp"
#include "host/simulation/bodies/body_model.hpp"

namespace nodia {

class Robots final : public BodyModel {
 public:
  /// @param scene   kept by reference
  /// @param layout  contains all other rows; the robots are appended; kept by reference
  Robots(const Scene& scene, BodyLayout* layout);

  int size() const { return static_cast<int>(models_.size()); }
  /// Model of robot r. Its link poses and Jacobians belong to the last update_kinematics().
  const RobotModel& model(int r) const { return models_[static_cast<std::size_t>(r)]; }
  const BodyRange& range(int r) const { return layout_[first_body_ + r]; }
  /// Coordinates and link poses at t = 0.
  const std::vector<double>& start_q(int r) const { return start_q_[static_cast<std::size_t>(r)]; }
  const std::vector<Pose>& start_links(int r) const {
    return start_link_[static_cast<std::size_t>(r)];
  }
  /// RobotModel::limits_hold() for all robots. @param v_hat  of all rows
  /// @param external_force  out: as State::q [N m] or [N]
  bool limits_hold(const Vec3d* v_hat, std::vector<double>* external_force);
  /// Jacobians of the velocity of a point on a link and of its angular velocity, [n_row] each.
  void link_jacobians(int robot, int link, Vec3d point, std::vector<Mat3d>* linear,
                      std::vector<Mat3d>* angular) const;

  void add_couplings(Couplings* couplings) const override;
  void add_rest(std::vector<Vec3d>* rest) const override;
  void bind(const std::shared_ptr<const BlockPattern>& pattern) override;
  void add_mass(std::vector<double>* mass) override;
  void add_initial(State* state) const override;
  void update_kinematics(const State& state, std::vector<double>* mass) override;
  void fall(Vec3d*) const override {}  // joints bear the gravity
  void assemble(const AssemblyInput& in, double* value, Vec3d* b) override;
  void positions(const State&, Vec3d*) const override {}  // coordinates have no position
  bool advance(const Vec3d* v_hat, const State& state, int, State* next) const override;
  /// Adds the links of all robots as frames, robot by robot.
  void add_surfaces(std::int32_t first_frame, SurfaceList* surfaces) const override;
  std::int32_t n_frame() const override { return static_cast<std::int32_t>(link_of_frame_.size()); }
  void poses(const State& state, Pose* pose) const override;
  void twists(const Pose* pose, const std::vector<Vec3d>& v, FrameTwist* twist) const override;
  void add_point(const State& state, std::int32_t frame, Vec3d point,
                 ContactPoints* points) const override;
  double kinetic_energy(const State& state, int) const override;
  double potential_energy(const State& state, int) override;

 private:
  RobotControl control_of(int robot, const Targets::Robot& targets, double time_s) const;

  /// Places of a robot's drives in its model.
  struct DrivePlaces {
    std::vector<int> coordinate;  ///< per joint drive; -1: the joint is fixed or follows another
    std::vector<int> link;        ///< per pose drive
  };

  const Scene& scene_;
  const BodyLayout& layout_;
  std::int32_t first_body_;  ///< number of the first robot
  std::vector<RobotModel> models_;
  std::vector<DrivePlaces> drives_;  ///< per robot
  std::vector<std::vector<double>> start_q_;
  std::vector<std::vector<Pose>> start_link_;  ///< per robot: link poses at t = 0
  std::vector<std::pair<std::int32_t, std::int32_t>> link_of_frame_;  ///< robot, link
  std::shared_ptr<const BlockPattern> pattern_;
};

}  // namespace nodia
