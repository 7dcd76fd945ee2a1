/// The check reference_csv: what it compares, its keys, its evaluator.
#pragma once

#include <optional>
#include <string>

#include "host/scene/limits.hpp"
#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// A recorded run of a cable that another program made: force of a sensor and centres of nine
/// links.
///
/// File: a row a step k = 0, 1, ..., at k time steps: k, time [s], Fx, Fy, Fz [N], three values
/// that are not read, then x, y, z [m] of links s (n - 1)/8 (integer division), s = 0..8, of n;
/// separated by commas or blanks, '#' begins a comment. Results NAME.force: root of the mean over
/// the steps of the squared norm of the difference of forces [N] (k = 0 has no record and is left
/// out); NAME.position: the largest over the nine links of the mean over the steps of the distance
/// at the same arc length [m].
struct ReferenceCsv {
  static constexpr const char* kName = "reference_csv";
  std::string sensor;
  std::string cable;                        ///< empty: the only one
  std::optional<std::string> reference;     ///< a file; absent: not compared
  std::optional<int> reference_links;       ///< n; absent: the cable's
  std::optional<double> force_rms_bound_N;  ///< [N], > 0; at least one of the two
  std::optional<double> position_bound_m;   ///< [m], > 0
};

template <class V>
void visit_keys(V& v, ReferenceCsv& c) {
  const auto positive = [&](const Key& key, double& value) {
    v.real(key, value, Range::positive());
  };
  v.text({"sensor", "name of a mount, an attachment or a force sensor of a robot", "", true},
         c.sensor);
  v.text({"cable", "name of a cable; empty: the only one"}, c.cable);
  v.optional({"reference",
              "table of another program: step, time, force, 3 unused, nine link centres; left "
              "out: nothing is compared"},
             c.reference, [&](const Key& key, std::string& file) { v.file(key, file); });
  v.optional({"reference_links", "links of the cable in the table; left out: as many as it has",
              "try 160"},
             c.reference_links,
             [&](const Key& key, int& value) { v.integer(key, value, 1, kMaxLinks); });
  v.optional({"force_rms_bound_N", "root mean square of the difference of forces [N]", "try 0.1"},
             c.force_rms_bound_N, positive);
  v.optional({"position_bound_m", "mean distance of any of the nine links [m]", "try 1e-3"},
             c.position_bound_m, positive);
}

/// Rules between its keys and the scene. @param path  of the check @throws ValueError
void validate(const ReferenceCsv& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const ReferenceCsv& check);

}  // namespace nodia
