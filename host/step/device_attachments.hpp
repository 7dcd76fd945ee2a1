/// Attachments of a problem's environments on a device: constant data and uploads per step.
#pragma once

#include <memory>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "host/step/mirrored_array.hpp"
#include "kernels/device/shared_arrays.hpp"
#include "kernels/step/attach_nodes.hpp"

namespace nodia {

/// Frames of all attachments. Positions and rotations are uploaded separately: most do not rotate.
class SentFrames {
 public:
  /// @param frames  AttachmentStep::target, begin or end
  /// @param first   [n_env + 1] first attachment of every environment
  void send(const ContactProblem& problem, const std::vector<int>& first,
            std::vector<Pose> AttachmentStep::*frames, DeviceStream stream);
  /// Returns whether these frames were uploaded last.
  bool are(const ContactProblem& problem, const std::vector<int>& first,
           std::vector<Pose> AttachmentStep::*frames) const;
  AttachmentFrames device() const { return {position_.device(), rotation_.device()}; }

 private:
  struct Frames {
    std::vector<Vec3d> position;
    std::vector<Mat3d> rotation;
  };

  Frames gather(const ContactProblem& problem, const std::vector<int>& first,
                std::vector<Pose> AttachmentStep::*frames) const;

  MirroredArray<Vec3d> position_;
  MirroredArray<Mat3d> rotation_;
};

class DeviceAttachments {
 public:
  /// Uploads the input of the assembly; constant data only if they have changed.
  /// @param arrays  shares equal arrays
  void upload(const ContactProblem& problem, SharedDeviceArrays* arrays, DeviceStream stream);
  /// Attachments of an environment; none if it is inactive.
  SoftAttachments of(const SoftSource& source, std::size_t env) const;
  AttachmentTargets targets() const { return {is_attached_.device(), target_.device()}; }
  /// [n_env + 1] first attachment of every environment.
  const std::vector<int>& first() const { return first_; }
  /// Maxima over the environments.
  int most_attachments() const { return most_attachments_; }
  int most_attached_nodes() const { return most_attached_nodes_; }
  /// Nodes of the largest attachment.
  int most_nodes() const { return most_nodes_; }

 private:
  /// Constant data of an environment.
  struct Fixed {
    std::shared_ptr<const AttachedNodes> source;
    std::shared_ptr<const std::vector<Vec3d>> place_source;
    std::shared_ptr<const AttachedNode> attached_node;
    std::shared_ptr<const std::int32_t> begin;
    std::shared_ptr<const double> stiffness_N_m;
    std::shared_ptr<const Vec3d> place;
  };

  bool fix(const AttachmentStep& step, Fixed* fixed, SharedDeviceArrays* arrays,
           DeviceStream stream);
  void count();

  std::vector<Fixed> fixed_;  ///< per environment, from its last active step
  std::vector<int> first_{0};
  int most_attachments_ = 0, most_attached_nodes_ = 0, most_nodes_ = 0;
  SentFrames target_;
  MirroredArray<std::uint8_t> is_attached_;
};

}  // namespace nodia
