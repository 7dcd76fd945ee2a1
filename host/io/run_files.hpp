/// Recognises the files of a run.
#pragma once

#include <string>
#include <vector>

#include "host/io/output_folder.hpp"

namespace nodia {

/// All files that RunDirectory writes, and the files that a killed run may have. Contents identify
/// them: configurations have a checksum in their first line, so that a changed one does not belong
/// to a run.
const std::vector<OutputFile>& run_files();

/// Last checkpoint of a run that has not ended.
inline constexpr const char* kCheckpointName = "checkpoint.nodia";

/// Name of the BytesSum of steps.csv's rows in a checkpoint.
inline constexpr const char* kStepsSum = "steps_sum";

/// True if a folder contains only files of a run that are written before config.yaml. A kill during
/// the start has this effect.
bool is_unbegun_run(const std::string& folder);

/// True if the run in a folder has ended: it has a summary and was not interrupted.
bool has_ended(const std::string& folder);

/// A configuration with the identifying line, a comment, in front.
std::string stamped_configuration(const std::string& yaml);

/// True for an unchanged file of stamped_configuration().
bool is_unchanged_configuration(const std::string& path);

/// True for the name of a file of a run.
bool is_run_file(const std::string& name);

}  // namespace nodia
