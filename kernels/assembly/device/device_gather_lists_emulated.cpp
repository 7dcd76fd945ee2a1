#include <cstdint>
#include <vector>

#include "kernels/assembly/device/device_gather_lists.hpp"
#include "kernels/emulated/capture.hpp"
#include "kernels/emulated/launch.hpp"
#include "kernels/launch/sort_pairs.hpp"

namespace nodia {
namespace {

/// A sort or a table is a launch of its own.
struct EmulatedArrays {
  DeviceStream stream;

  template <class T, class F>
  void tabulate(T* out, int n, const F& f) const {
    launch("tabulate", [=] {
      for (int k = 0; k < n; ++k) out[k] = f(k);
    });
  }
  void stable_sort_by_key(std::uint64_t* key, int n, std::int32_t* value) const {
    launch("stable_sort_by_key", [=] {
      const std::vector<std::uint64_t> keys(key, key + n);
      const std::vector<std::int32_t> values(value, value + n);
      sort_pairs(keys.data(), values.data(), {n, 64}, key, value);
    });
  }

 private:
  template <class Work>
  void launch(const char* name, Work work) const {
    launch_on_emulated_device(stream, name, name, [=] {
      if (is_faulty_on_emulated_device(name)) return;
      const EmulatedOwnTime time;
      work();
    });
  }
};

}  // namespace

void gather_lists_on_device(const AssemblyView& model, const GatherLists& lists,
                            DeviceStream stream) {
  require_no_capture("lists of soft bodies", stream);
  make_gather_lists(EmulatedArrays{stream}, model, lists);
  synchronize_device("lists of soft bodies", stream);
}

}  // namespace nodia
