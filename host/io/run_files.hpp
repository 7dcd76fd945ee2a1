/// How the files of a run are known again.
#pragma once

#include <string>
#include <vector>

#include "host/io/output_folder.hpp"

namespace nodia {

/// Everything that RunDirectory writes, and what a killed run leaves of it. Known by content:
/// configurations by the checksum in their first line, so that one that was changed is no run's.
const std::vector<OutputFile>& run_files();

/// The last checkpoint of a run that has not ended.
inline constexpr const char* kCheckpointName = "checkpoint.nodia";

/// Name under which a checkpoint keeps the BytesSum of the rows of steps.csv.
inline constexpr const char* kStepsSum = "steps_sum";

/// Whether a folder holds nothing of a run but what is written before config.yaml, as a kill during
/// the start leaves it.
bool is_unbegun_run(const std::string& folder);

/// Whether a run in a folder came to its end: it has a summary, and was not interrupted.
bool has_ended(const std::string& folder);

/// A configuration behind the line by which it is known again, a comment.
std::string stamped_configuration(const std::string& yaml);

/// A file of stamped_configuration() as it was written.
bool is_unchanged_configuration(const std::string& path);

/// A name that files of a run have.
bool is_run_file(const std::string& name);

}  // namespace nodia
