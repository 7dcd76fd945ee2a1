/// Uploads the attachments of a problem.
#include "host/step/device_attachments.hpp"

#include <algorithm>

namespace nodia {

SentFrames::Frames SentFrames::gather(const ContactProblem& p, const std::vector<int>& first,
                                      std::vector<Pose> AttachmentStep::*frames) const {
  const auto n = static_cast<std::size_t>(first.back());
  Frames gathered{position_.host(), rotation_.host()};
  auto& [position, rotation] = gathered;
  position.resize(n);
  rotation.resize(n, Mat3d::identity());
  for (int e = 0; n > 0 && e < p.n_env(); ++e) {
    const AttachmentStep& step = p.soft[static_cast<std::size_t>(e)].attachments;
    if (step.attached_nodes == nullptr) continue;
    auto at = static_cast<std::size_t>(first[e]);
    for (std::size_t a = 0; a < step.is_attached.size(); ++a, ++at) {
      if (step.is_attached[a] == 0) continue;
      const Pose& frame = (step.*frames)[a];
      position[at] = frame.position;
      rotation[at] = frame.rotation;
    }
  }
  return gathered;
}

void SentFrames::send(const ContactProblem& p, const std::vector<int>& first,
                      std::vector<Pose> AttachmentStep::*frames, DeviceStream stream) {
  Frames gathered = gather(p, first, frames);
  position_.send(std::move(gathered.position), stream);
  rotation_.send(std::move(gathered.rotation), stream);
}

bool SentFrames::are(const ContactProblem& p, const std::vector<int>& first,
                     std::vector<Pose> AttachmentStep::*frames) const {
  const Frames gathered = gather(p, first, frames);
  return position_.is(gathered.position) && rotation_.is(gathered.rotation);
}

/// @return whether the environment's attachments have changed
bool DeviceAttachments::fix(const AttachmentStep& step, Fixed* f, SharedDeviceArrays* arrays,
                            DeviceStream stream) {
  const bool is_other = f->source != step.attached_nodes;
  if (is_other) {
    f->source = step.attached_nodes;
    const auto get = [&](const auto& list) {
      return arrays->get(step.attached_nodes, list.data(), list.size(), stream);
    };
    f->attached_node = get(step.attached_nodes->attached_node);
    f->begin = get(step.attached_nodes->begin);
    f->stiffness_N_m = get(step.attached_nodes->stiffness_N_m);
  }
  if (f->place_source != step.place) {
    f->place_source = step.place;
    f->place = arrays->get(step.place, step.place->data(), step.place->size(), stream);
  }
  return is_other;
}

void DeviceAttachments::count() {
  first_.assign(1, 0);
  most_attachments_ = most_attached_nodes_ = most_nodes_ = 0;
  for (const Fixed& f : fixed_) {
    const int n = f.source == nullptr ? 0 : f.source->n_attachment();
    first_.push_back(first_.back() + n);
    most_attachments_ = std::max(most_attachments_, n);
    for (int a = 0; a < n; ++a)
      most_nodes_ = std::max(most_nodes_, f.source->begin[a + 1] - f.source->begin[a]);
    if (n > 0)
      most_attached_nodes_ =
          std::max(most_attached_nodes_, static_cast<int>(f.source->attached_node.size()));
  }
}

void DeviceAttachments::upload(const ContactProblem& p, SharedDeviceArrays* arrays,
                               DeviceStream stream) {
  bool counts = fixed_.size() != static_cast<std::size_t>(p.n_env());
  fixed_.resize(static_cast<std::size_t>(p.n_env()));
  for (std::size_t e = 0; e < fixed_.size(); ++e) {
    const SoftSource& source = p.soft[e];
    if (source.model == nullptr) continue;  // its entry does not change
    if (source.attachments.attached_nodes != nullptr)
      counts = fix(source.attachments, &fixed_[e], arrays, stream) || counts;
    else
      counts = std::exchange(fixed_[e], {}).source != nullptr || counts;
  }
  if (counts) count();
  std::vector<std::uint8_t> is_attached(static_cast<std::size_t>(first_.back()), 0);
  for (std::size_t e = 0; e < fixed_.size(); ++e) {
    const AttachmentStep& step = p.soft[e].attachments;
    if (step.attached_nodes != nullptr)
      std::copy(step.is_attached.begin(), step.is_attached.end(), is_attached.begin() + first_[e]);
  }
  is_attached_.send(std::move(is_attached), stream);
  target_.send(p, first_, &AttachmentStep::target, stream);
}

SoftAttachments DeviceAttachments::of(const SoftSource& source, std::size_t e) const {
  SoftAttachments attachments;
  if (source.attachments.attached_nodes == nullptr) return attachments;
  const Fixed& f = fixed_[e];
  attachments.n_attachment = f.source->n_attachment();
  attachments.n_attached_node = static_cast<std::int32_t>(f.source->attached_node.size());
  attachments.first = first_[e];
  attachments.attached_node = f.attached_node.get();
  attachments.begin = f.begin.get();
  attachments.stiffness_N_m = f.stiffness_N_m.get();
  attachments.place = f.place.get();
  return attachments;
}

}  // namespace nodia
