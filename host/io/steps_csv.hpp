/// steps.csv: one row per environment and step.
#pragma once

#include <string>
#include <vector>

#include "host/io/contact_columns.hpp"
#include "host/io/file.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia {

inline constexpr int kStepsCsvVersion = 1;  ///< in summary.json; the table has no place for it

/// Columns of a scene. Other programs read the names: add new ones at the end, never rename.
///
///   the same for every scene, env to error_bound
///   per sensor (mounts, then attachments, then force sensors of robots)
///                                          NAME_fx_N, _fy_N, _fz_N, NAME_tx_Nm, _ty_Nm, _tz_Nm
///   per cable, s = 0..8                    link_s_x_m, link_s_y_m, link_s_z_m: the centre of link
///                                          s (links - 1)/8 (integer division) at the end of the
///                                          step
///   per pair of objects that may collide, then per object: contact_columns.hpp
///   per coordinate of a robot with drives  ROBOT_JOINT_effort_N or _Nm
///
/// NAME is the sensor's name, in which every character except letters, digits and _ becomes _. If
/// several names become equal, all but the first end in _2, _3, ... With several cables, their
/// columns begin with CABLE_.
class StepsCsvColumns {
 public:
  explicit StepsCsvColumns(const Scene& scene, ContactGroups groups = ContactGroups::automatic);

  /// Names, separated by commas.
  std::string header() const;
  /// Numbers in the shortest form that reads back to the same bits, in any locale. NaN, and values
  /// that the environment does not have, are empty fields.
  std::string row(const StepView& view) const;

 private:
  std::vector<std::string> sensors_;  ///< names in columns
  std::vector<std::string> cables_;   ///< first parts of column names
  ContactColumns contacts_;
  struct EffortColumn {
    std::string name;
    std::size_t coordinate = 0;  ///< index in StepRecord::efforts
  };
  static std::vector<EffortColumn> effort_columns(const Scene& scene);
  std::vector<EffortColumn> efforts_;
};

/// The file, complete up to the last appended row at all times.
class StepsCsv {
 public:
  /// @param scene  scene of its columns; in a batch, that of environment 0
  StepsCsv(const std::string& path, const Scene& scene,
           ContactGroups groups = ContactGroups::automatic)
      : columns_(scene, groups), file_(path) {
    file_.append(columns_.header());
  }
  /// Continues a file after its first bytes.
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
