/// Input of an environment for the end of a step, made by a solver.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fem/frames/frame_model.hpp"
#include "host/problem/obstacle_contacts.hpp"
#include "host/simulation/state.hpp"
#include "host/simulation/state_downloader.hpp"
#include "host/solvers/interface.hpp"
#include "kernels/elements/attachment.hpp"
#include "kernels/step/soft_depths.hpp"
#include "kernels/step/soft_end.hpp"

namespace nodia {

/// End of a step, from a method that computes more than representative velocities.
struct StepEnd {
  State state;
  std::vector<JointLoad> joint_loads;  ///< Mean over the step, one per joint of the frames.
};

/// Solution of a step and its contacts: the built step's, a range of the merged problem's contacts.
struct StepSolution {
  const SolveReport& report;
  const Vec3d* v_hat;
  const Contact<double>* contacts;  ///< Null if the contacts are unchanged since the build.
  const Vec3d* lambda;
  int n_contact;
  std::int32_t first_row;        ///< First row of the environment in the merged problem.
  std::int32_t first_point;      ///< Its first point as a side of contacts in the merged problem.
  const StepEnd* end = nullptr;  ///< Null if v_hat determines the end of the step.
};

/// Report of a step whose end stays on the device.
struct DeviceReport {
  const SolveReport& solve;
  const SoftEnd& end;
  std::span<const SoftDepth> depth;                 ///< [body][obstacle]
  std::span<const double> pair_depth;               ///< One per search between soft surfaces.
  std::span<const AttachmentSums> attachment_sums;  ///< One per attachment.
  StateDownloader* downloader;
  int place;  ///< index of the environment in the device storage
};

/// Start state and contacts of a step, downloaded from the device.
struct DownloadedStep {
  const Vec3d *x, *v;  ///< State of the nodes at the start of the step.
  std::span<const NodeAtObstacle> near;
  std::span<const SoftPair> pairs;  ///< Soft-soft pairs.
};

}  // namespace nodia
