/// The check reference_csv: what it compares, its keys, its evaluator.
#pragma once

#include <optional>
#include <string>

#include "host/scene/limits.hpp"
#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// Compares a cable with a table that another program recorded: force of a sensor and centres of
/// nine links.
///
/// The table has one row per time step k = 0, 1, ... with these columns: k, time [s], Fx, Fy, Fz
/// [N], three ignored values, then x, y, z [m] of link s (n - 1)/8 (integer division) for s = 0..8,
/// where n is the number of links. Commas or blanks separate the columns; '#' starts a comment.
///
/// Results:
/// - NAME.force: root mean square over the steps of the norm of the force difference [N]. k = 0 has
///   no record and is ignored.
/// - NAME.position: maximum over the nine links of the mean distance over the steps, at equal arc
///   length [m].
struct ReferenceCsv {
  static constexpr const char* kName = "reference_csv";
  std::string sensor;
  std::string cable;                        ///< empty: the only cable of the scene
  std::optional<std::string> reference;     ///< file of the table; absent: nothing is compared
  std::optional<int> reference_links;       ///< n; absent: number of links of the cable
  std::optional<double> force_rms_bound_N;  ///< [N], > 0; at least one of the two is set
  std::optional<double> position_bound_m;   ///< [m], > 0
};

inline void visit_keys(DocumentVisitor& v, ReferenceCsv& c) {
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

/// Checks the keys against each other and the scene. @param path  dotted path @throws ValueError
void validate(const ReferenceCsv& check, const std::string& path, const Scene& scene);

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const ReferenceCsv& check);

}  // namespace nodia
