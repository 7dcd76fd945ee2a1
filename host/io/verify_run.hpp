/// Verifies that the files of a run are complete.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nodia {

struct RunVerdict {
  struct Broken {
    std::string file;    ///< name in the folder
    std::string reason;  ///< what is wrong
  };
  std::vector<Broken> broken;
  std::vector<std::string> whole;  ///< files that are complete and agree with the summary
  std::int64_t n_row = 0;          ///< rows of steps.csv
  std::int64_t n_frame = 0;        ///< frames of all trajectories, read to the last value
  std::string note;                ///< what could not be verified; empty if nothing
};

/// Reads every file of a run to its end; trajectories in a child process, because damaged ones may
/// crash HDF5. A missing summary.json, as after a kill, is reported as broken; parts of
/// trajectories are then read instead.
/// @throws InputError if there is no such folder, or it contains no file of a run
RunVerdict verify_run(const std::string& folder);

/// Why the file is no complete trajectory; empty if it is.
/// @param n_frame  out: number of its frames
std::string trajectory_damage(const std::string& path, std::int64_t* n_frame);

}  // namespace nodia
