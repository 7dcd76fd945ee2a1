/// Recorded launches with loops that the device controls. Separate from device_backend.cuh, because
/// this file contains kernels.
#pragma once

#include "kernels/device/device_backend.cuh"

#if !defined(NODIA_DEVICE_BACKEND)

#include <algorithm>
#include <cstdint>

#include "kernels/device/graph.cuh"

namespace nodia {

using Recording = GraphExec;

/// Blocks for a launch over n_item items, limited by the number that the device holds at once.
/// @param what  name of the work in errors, also below
inline int most_blocks(int n_item, const char* what) {
  return std::min(n_item, most_resident_blocks(what));
}

/// Records the launches of launches(recorder); the recorder is a loop launcher (GraphRecorder).
/// @param stream   not the null stream
/// @param n_block  largest number of blocks of a launch whose item count is in device memory
/// @param loop     in device memory: start time of the loop [ns]
template <class Launches>
Recording record(const char* what, DeviceStream stream, int n_block, std::int64_t* loop,
                 const Launches& launches) {
  return record_graph([&] {
    GraphRecorder recorder(what, stream, n_block, loop);
    launches(recorder);
    return recorder.take();
  });
}

inline void replay(const Recording& recording, DeviceStream stream, const char* /*what*/) {
  recording.launch(stream);
}

}  // namespace nodia

#endif
