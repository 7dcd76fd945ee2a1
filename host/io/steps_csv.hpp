/// steps.csv: one row per environment and step.
#pragma once

#include <string>
#include <vector>

#include "host/io/contact_columns.hpp"
#include "host/io/file.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia {

inline constexpr int kStepsCsvVersion = 1;  ///< stands in summary.json; a table has no place for it

/// The columns of a scene. Their names are a contract: other programs read them; add at the end,
/// never rename.
///
///   the same for every scene, env to error_bound
///   per sensor (mounts, then attachments, then force sensors of robots)
///                                          NAME_fx_N, _fy_N, _fz_N, NAME_tx_Nm, _ty_Nm, _tz_Nm
///   per cable, s = 0..8                    link_s_x_m, link_s_y_m, link_s_z_m: the centre of link
///                                          s (links - 1)/8 (integer division) at the end of the
///                                          step
///   per pair of objects that can touch, then per object: contact_columns.hpp
///
/// NAME is the sensor's with every character that is no letter, digit or _ turned into _; of
/// several that are then the same, all but the first end in _2, _3, ... The columns of cables begin
/// with CABLE_ where there are several.
class StepsCsvColumns {
 public:
  explicit StepsCsvColumns(const Scene& scene, ContactGroups groups = ContactGroups::automatic);

  /// Names, comma separated.
  std::string header() const;
  /// Numbers in the shortest form that reads back to the same bits whatever the locale; a field
  /// that is not a number, or that the environment does not have, is empty.
  std::string row(const StepView& view) const;

 private:
  std::vector<std::string> sensors_;  ///< names in columns
  std::vector<std::string> cables_;   ///< beginnings of columns
  ContactColumns contacts_;
};

/// The file, complete up to the last appended row at any moment.
class StepsCsv {
 public:
  /// @param scene  whose columns it has; of a batch, that of environment 0
  StepsCsv(const std::string& path, const Scene& scene,
           ContactGroups groups = ContactGroups::automatic)
      : columns_(scene, groups), file_(path) {
    file_.append(columns_.header());
  }
  /// Continues a file behind its first bytes.
  /// @throws InputError if these have another sum
  StepsCsv(const std::string& path, const Scene& scene, ContactGroups groups, const BytesSum& first)
      : columns_(scene, groups), file_(path, first) {}
  void append(const StepView& view) { file_.append(columns_.row(view)); }
  void sync() { file_.sync(); }
  const BytesSum& sum() const { return file_.sum(); }

 private:
  StepsCsvColumns columns_;
  LineFile file_;
};

}  // namespace nodia
