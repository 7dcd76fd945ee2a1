/// steps.csv: one row per environment and step.
#pragma once

#include <string>

#include "host/io/file.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia {

/// The column names, comma separated. They are a contract: other programs read them; add at the
/// end, never rename.
extern const char* const kStepsCsvHeader;

/// A record as a row: numbers in the shortest form that reads back to the same bits whatever the
/// locale; a field that is not a number is empty.
std::string steps_csv_row(const StepRecord& record);

/// The file, complete up to the last appended row at any moment.
class StepsCsv {
 public:
  explicit StepsCsv(const std::string& path) : file_(path) { file_.append(kStepsCsvHeader); }
  void append(const StepRecord& record) { file_.append(steps_csv_row(record)); }
  void sync() { file_.sync(); }

 private:
  LineFile file_;
};

}  // namespace nodia
