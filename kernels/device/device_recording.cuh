/// Launches that are recorded once and replayed, with loops that the device decides on. Apart from
/// device_backend.cuh, because it brings kernels of its own.
#pragma once

#include "kernels/device/device_backend.cuh"

#if !defined(NODIA_DEVICE_BACKEND)

#include <algorithm>
#include <cstdint>

#include "kernels/device/graph.cuh"

namespace nodia {

using Recording = GraphExec;

/// n_block for launches over n_item items: the device holds no more at once.
/// @param what  names the work in errors; likewise below
inline int most_blocks(int n_item, const char* what) {
  return std::min(n_item, most_resident_blocks(what));
}

/// Records what launches(recorder) launches; the recorder is a launcher of loops (GraphRecorder).
/// @param stream   not the null stream
/// @param n_block  blocks of a launch over items counted in device memory, at most
/// @param loop     in device memory: when the loop began [ns]
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
