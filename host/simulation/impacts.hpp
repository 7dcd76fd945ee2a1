/// Impacts with restitution within a step: rigid bodies touch and rebound between its start and its
/// end, as they would in continuous time.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/simulation/body_system.hpp"
#include "kernels/contact/contact_state.hpp"
#include "kernels/core/time_step.hpp"

namespace nodia {

struct StepContacts;

/// Normal motion of two points that approach each other, in a step without contacts. Velocities
/// are relative, positive if the points separate.
struct Approach {
  double gap_m = 0;
  double velocity_m_s = 0;  ///< at the start
  double free_m_s = 0;      ///< v_hat
};

/// Law of a contact that closes and rebounds in a step.
struct Rebound {
  double phi_m_s = 0;  ///< phi_n: u_n = 0 at the rebound velocity
  double delay_s = 0;  ///< time between (1 - theta) t and the touch; may be negative
};

/// Touch and rebound with the coefficient e. The points move with constant acceleration
/// a = (v_hat - v)/(theta t). Through their positions at the ends of the steps leads a parabola
/// with the velocity w = v + (theta - 1/2) t a. They touch after s, gap + w s + a s^2/2 = 0, and
/// leave with -e (w + a s).
/// @return nothing if they do not touch in the step, or touch again in its rest
std::optional<Rebound> rebound(const Approach& approach, double e, const TimeStep& time);

/// Normal speed at the touch, 0 if the points do not touch [m/s].
double touch_speed(const Approach& approach, const TimeStep& time);

/// Change of the kinetic energy by an impact with Newton's restitution and Coulomb's friction at
/// one contact [J]; 0 if the law has no solution.
/// @param W         J M^-1 J^T, contact frame [1/kg]
/// @param u         relative velocity before the impact, u.x < 0, contact frame [m/s]
/// @param mu1, mu2  friction along the axes of the frame
double energy_of_impact(const Mat3d& W, Vec3d u, double e, double mu1, double mu2);

/// A contact whose impulse acts at the touch.
struct Impact {
  std::int32_t contact = 0;  ///< in StepContacts::contacts
  double restitution = 0;    ///< [-]
  double delay_s = 0;        ///< Rebound::delay_s
};

/// Impacts of the rigid bodies that no mount holds. The scheme applies all forces after
/// (1 - theta) t; an impulse P that acts later by the delay moves its body by -delay M^-1 P. The
/// other contacts of the bodies keep their gaps, and their places if they stick: their reactions
/// act at the same time.
class Impacts {
 public:
  /// @param scene, system  kept by reference
  Impacts(const Scene& scene, BodySystem* system);

  /// Sets phi_n of the contacts of out->impacts between these bodies and obstacles. Those that
  /// touch and rebound in the step stay in the list. A contact of the same bodies that does not
  /// touch without their impulses is added: its force acts after the touch, too.
  /// @param state   start of the step
  /// @param v_free  [n_row] FreeMotion::v() [m/s]
  void set_laws(const State& state, const std::vector<Vec3d>& v_free, StepContacts* out);

  /// Computes the displacement by the impacts of set_laws().
  /// @param lambda  [n_contact] contact frame [N]
  /// @param v_hat   [n_row] solution
  void set_shift(const StepContacts& found, const Vec3d* v_hat, const Vec3d* lambda);
  /// Moves the bodies. Angular momentum stays. @param end  end of the step without the displacement
  void apply(const State& start, State* end) const;

  /// [n_row] displacement and rotation of the rows [m, rad]; null without impacts.
  const Vec3d* shift() const { return has_shift_ ? shift_.data() : nullptr; }
  /// Energy that the bodies lose to gravity by the displacement [J].
  double gravity_work_J() const;

 private:
  /// Least delay [s] and number of the rebounds by row.
  using RowImpacts = std::unordered_map<std::int32_t, std::pair<double, int>>;

  bool is_free(std::int32_t row) const { return is_free_[static_cast<std::size_t>(row)] != 0; }
  double normal_velocity(const StepContacts& found, std::size_t m, const Vec3d* v) const;
  bool is_between_free(const StepContacts& found, std::size_t m) const;
  static void set_phi(std::size_t m, double phi, StepContacts* out);
  void add_follower(const State& state, const std::vector<Vec3d>& v_free, const RowImpacts& of_row,
                    std::size_t m, StepContacts* out) const;
  double passive_restitution(const StepContacts& found, std::size_t m, Vec3d u, double e) const;
  void set_inverse_mass(const State& state);
  void add_impulse(const StepContacts& found, std::size_t m, Vec3d impulse);
  double keep_contact(const StepContacts& found, std::size_t m, ContactState state,
                      double gap_end_m);
  Mat3d compliance(const StepContacts& found, std::size_t m) const;

  const Scene& scene_;
  BodySystem& system_;
  std::vector<char> is_free_;        ///< [n_row]
  std::vector<Mat3d> inverse_mass_;  ///< [n_row] of free rows [1/kg, 1/(kg m^2)]
  std::vector<Vec3d> shift_;         ///< [n_row]
  bool has_shift_ = false;
};

}  // namespace nodia
