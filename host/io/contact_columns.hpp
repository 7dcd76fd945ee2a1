/// Contact forces per pair of objects and per object, as columns of steps.csv.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "host/io/csv_row.hpp"
#include "host/scene/touching_pairs.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia {

enum class ContactGroups : std::uint8_t {
  automatic,  ///< pairs if the scene has at most kMostAutomaticPairs, otherwise bodies
  pairs,      ///< every pair that may collide, and every object
  bodies,     ///< every object
  none
};

inline constexpr std::size_t kMostAutomaticPairs = 64;

/// Columns of a scene. GROUP is contact_A_B for a pair of objects, contact_A for an object.
///
///   GROUP_fx_N, _fy_N, _fz_N   sum of the contact forces on A, by B or by all others, mean over
///                              the step, world frame [N]; zero between an object and itself
///   GROUP_normal_N             sum of the normal forces, >= 0, such as a squeeze without a sum [N]
///   GROUP_n, _n_stick, _n_slip number of contacts, of sticking and of slipping ones
///   GROUP_max_slip_m_s         largest tangential speed of the sticking or slipping ones [m/s]
///
/// Objects are in the order of their numbers, A before B. Objects that cannot collide are omitted.
/// All columns are empty if a step has no solution.
class ContactColumns {
 public:
  /// @param taken  first parts of the names of other columns
  ContactColumns(const Scene& scene, ContactGroups groups, std::vector<std::string> taken);

  /// ",contact_A_B_fx_N,...", or an empty text.
  std::string header() const;
  void add_to(const StepView& view, CsvRow* row) const;

 private:
  struct Sum {
    Vec3d force_N{};
    double normal_N = 0;
    int n = 0, n_stick = 0, n_slip = 0;
    double max_slip_m_s = 0;

    void add(Vec3d force, double normal, ContactState state, double slip_m_s);
  };

  Objects objects_;
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs_;  ///< ascending
  std::vector<std::int32_t> column_of_object_;                ///< [n_object], -1: none
  std::vector<std::string> names_;  ///< names of the pairs, then of the objects
};

}  // namespace nodia
