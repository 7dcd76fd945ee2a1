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
  automatic,  ///< pairs where the scene has at most kMostAutomaticPairs, bodies otherwise
  pairs,      ///< every pair that can touch, and every object
  bodies,     ///< every object
  none
};

inline constexpr std::size_t kMostAutomaticPairs = 64;

/// The columns of a scene; GROUP is contact_A_B for a pair of objects, contact_A for an object.
///
///   GROUP_fx_N, _fy_N, _fz_N   sum of the contact forces on A, by B or by everything else, mean
///                              over the step, world frame [N]; of an object with itself zero
///   GROUP_normal_N             sum of the normal forces, >= 0: a squeeze that sums to no force [N]
///   GROUP_n, _n_stick, _n_slip near pairs of features, those that stick, those that slip
///   GROUP_max_slip_m_s         the largest tangential speed of those that stick or slip [m/s]
///
/// Objects are in the order of their numbers, A before B; those that can touch nothing
/// are left out. All are empty where a step has no answer.
class ContactColumns {
 public:
  /// @param taken  beginnings of the names of other columns
  ContactColumns(const Scene& scene, ContactGroups groups, std::vector<std::string> taken);

  /// ",contact_A_B_fx_N,..." or nothing.
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
  std::vector<std::string> names_;                            ///< of the pairs, then of the objects
};

}  // namespace nodia
