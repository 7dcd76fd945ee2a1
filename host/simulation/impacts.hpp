/// Impacts with restitution: rigid bodies touch and rebound within a step, as in continuous time.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/simulation/body_system.hpp"
#include "host/simulation/rebound.hpp"
#include "kernels/contact/contact_state.hpp"

namespace nodia {

struct StepContacts;

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
  /// touch without their impulses is added: its force acts after the touch, too. The restitution of
  /// an impact between bodies that have no other one is at most passive_restitution().
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
  /// Work of gravity on the displacement [J].
  double gravity_work_J() const;

 private:
  /// Least delay [s] and number of the rebounds by row.
  using RowImpacts = std::unordered_map<std::int32_t, std::pair<double, int>>;

  bool is_free(std::int32_t row) const { return is_free_[static_cast<std::size_t>(row)] != 0; }
  double normal_velocity(const StepContacts& found, std::size_t m, const Vec3d* v) const;
  bool is_between_free(const StepContacts& found, std::size_t m) const;
  Approach approach(const State& state, const StepContacts& found, std::size_t m) const;
  RowImpacts find_rebounds(const State& state, StepContacts* out) const;
  void set_rebound(const State& state, const std::vector<Vec3d>& v_free, const RowImpacts& of_row,
                   Impact* impact, StepContacts* out) const;
  static void set_phi(std::size_t m, double phi, StepContacts* out);
  void add_follower(const State& state, const std::vector<Vec3d>& v_free, const RowImpacts& of_row,
                    std::size_t m, StepContacts* out) const;
  void set_inverse_mass(const State& state);
  void add_impulse(const StepContacts& found, std::size_t m, Vec3d impulse);
  double keep_contact(const StepContacts& found, std::size_t m, ContactState state,
                      double gap_end_m);
  Mat3d compliance(const StepContacts& found, std::size_t m) const;

  const Scene& scene_;
  BodySystem& system_;
  std::vector<char> is_free_;        ///< [n_row]
  std::vector<Mat3d> inverse_mass_;  ///< [n_row] of free rows [1/kg, 1/(kg m^2)]
  std::vector<Vec3d> v_fall_;        ///< [n_row] v_hat without contacts; angular rows: of the start
  std::vector<Vec3d> shift_;         ///< [n_row]
  bool has_shift_ = false;
};

}  // namespace nodia
