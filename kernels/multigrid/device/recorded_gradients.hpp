/// What a recording of conjugate gradients holds, on every backend.
#pragma once

#include "kernels/multigrid/device/device_multigrid.hpp"

namespace nodia {

template <class Launcher>
void launch_steps(Launcher& launcher, const GradientKey& key) {
  launch_gradient_steps(launcher, key.view, key.loop, key.level, key.size.data(),
                        static_cast<int>(key.size.size()));
}

}  // namespace nodia
