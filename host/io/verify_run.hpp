/// Whether the files of a run are whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nodia {

struct RunVerdict {
  struct Broken {
    std::string file;    ///< in the folder
    std::string reason;  ///< in words
  };
  std::vector<Broken> broken;
  std::vector<std::string> whole;  ///< files that are whole and fit the summary
  std::int64_t n_row = 0;          ///< of steps.csv
  std::int64_t n_frame = 0;        ///< of all trajectories, read to the last value
  std::string note;                ///< what could not be verified; empty if nothing
};

/// Reads every file of a run to its end, trajectories in a child process: damaged ones may crash
/// HDF5. A missing summary.json, as a kill leaves it, is broken too; parts of trajectories then
/// stand for them.
/// @throws InputError where the folder is none, or holds no file of a run
RunVerdict verify_run(const std::string& folder);

/// Why the file is no trajectory that is whole, in words; empty where it is.
/// @param n_frame  out: frames that it holds
std::string trajectory_damage(const std::string& path, std::int64_t* n_frame);

}  // namespace nodia
