/// Watches the balance of energy of an environment's bodies, without its robots.
#pragma once

#include <utility>
#include <vector>

namespace nodia {

/// Terms of the balance of one step [J]. The bodies are soft bodies, rigid bodies and cables.
struct EnergyTerms {
  /// Energies of the bodies at the end of the step; elastic: springs of mounts included.
  double kinetic_J = 0, elastic_J = 0, gravity_J = 0;
  double robots_kinetic_J = 0;    ///< of the robots, at the end of the step
  double contact_work_J = 0;      ///< of contact forces on the bodies
  double contact_turnover_J = 0;  ///< sum of the absolute values of its normal and tangential parts
  double frame_work_J = 0;        ///< of moving frames: mounts and attachments
  double push_work_J = 0;         ///< of external forces
  double mass_kg = 0;             ///< of the bodies
  double error = 0;               ///< relative error of the solution; NaN if it is unknown
  bool is_solved = false;
};

/// State of the watch: a run that continues from it has the same results.
struct EnergyMemory {
  /// One step [J].
  struct Step {
    double gain_J;      ///< change of the energy that no work explains
    double turnover_J;  ///< sum of the absolute values of all terms
    double error_J;     ///< gain that rounding and the error of the solution can cause
  };
  bool has_energy = false;  ///< the energies are those of the last step
  double kinetic_J = 0, elastic_J = 0, gravity_J = 0, robots_kinetic_J = 0;
  double largest_turnover_J = 0;
  std::vector<Step> steps;  ///< at most EnergyWatch::kWindow, the last one at the end
};

/// A step that is linear in the velocities creates no energy. Rotations, directions of joints and
/// the pull of taut cables are not linear, and can create energy. The watch compares the gain of
/// the last kWindow steps with a tenth of their turnover (docs/math.md, "The balance of energy").
class EnergyWatch {
 public:
  static constexpr int kWindow = 20;

  /// Gain of a step [J]: change of energy minus the work of all forces. A loss, for example by
  /// damping, is negative. NaN in the first step after a start or interrupt().
  /// @param gain_is_too_large  out: the last steps created energy
  double end_step(const EnergyTerms& terms, bool* gain_is_too_large);
  /// Forgets the last steps: the state was set, or a step was not measured.
  void interrupt() { memory_ = {}; }
  /// Gain of the last steps [J].
  double gain_J() const;

  const EnergyMemory& memory() const { return memory_; }
  void set_memory(EnergyMemory memory) { memory_ = std::move(memory); }

 private:
  EnergyMemory memory_;
};

}  // namespace nodia
