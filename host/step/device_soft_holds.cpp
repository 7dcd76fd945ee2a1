/// Uploads the attachments of a problem.
#include "host/step/device_soft_holds.hpp"

#include <algorithm>

namespace nodia {

SentFrames::Frames SentFrames::gather(const ContactProblem& p, const std::vector<int>& first,
                                      std::vector<Pose> HoldStep::*frames) const {
  const auto n = static_cast<std::size_t>(first.back());
  Frames gathered{position_.here(), rotation_.here()};
  auto& [position, rotation] = gathered;
  position.resize(n);
  rotation.resize(n, Mat3d::identity());
  for (int e = 0; n > 0 && e < p.n_env(); ++e) {
    const HoldStep& step = p.soft[static_cast<std::size_t>(e)].holds;
    if (step.holds == nullptr) continue;
    auto at = static_cast<std::size_t>(first[e]);
    for (std::size_t a = 0; a < step.is_holding.size(); ++a, ++at) {
      if (step.is_holding[a] == 0) continue;
      const Pose& frame = (step.*frames)[a];
      position[at] = frame.position;
      rotation[at] = frame.rotation;
    }
  }
  return gathered;
}

void SentFrames::send(const ContactProblem& p, const std::vector<int>& first,
                      std::vector<Pose> HoldStep::*frames, DeviceStream stream) {
  Frames gathered = gather(p, first, frames);
  position_.send(std::move(gathered.position), stream);
  rotation_.send(std::move(gathered.rotation), stream);
}

bool SentFrames::are(const ContactProblem& p, const std::vector<int>& first,
                     std::vector<Pose> HoldStep::*frames) const {
  const Frames gathered = gather(p, first, frames);
  return position_.is(gathered.position) && rotation_.is(gathered.rotation);
}

/// @return whether the environment's attachments have changed
bool DeviceSoftHolds::fix(const HoldStep& step, Fixed* f, SharedDeviceArrays* arrays,
                          DeviceStream stream) {
  const bool is_other = f->source != step.holds;
  if (is_other) {
    f->source = step.holds;
    const auto get = [&](const auto& list) {
      return arrays->get(step.holds, list.data(), list.size(), stream);
    };
    f->hold = get(step.holds->hold);
    f->begin = get(step.holds->begin);
    f->stiffness_N_m = get(step.holds->stiffness_N_m);
  }
  if (f->place_source != step.place) {
    f->place_source = step.place;
    f->place = arrays->get(step.place, step.place->data(), step.place->size(), stream);
  }
  return is_other;
}

void DeviceSoftHolds::count() {
  first_.assign(1, 0);
  most_attachments_ = most_holds_ = most_nodes_ = 0;
  for (const Fixed& f : fixed_) {
    const int n = f.source == nullptr ? 0 : f.source->n_attachment();
    first_.push_back(first_.back() + n);
    most_attachments_ = std::max(most_attachments_, n);
    for (int a = 0; a < n; ++a)
      most_nodes_ = std::max(most_nodes_, f.source->begin[a + 1] - f.source->begin[a]);
    if (n > 0) most_holds_ = std::max(most_holds_, static_cast<int>(f.source->hold.size()));
  }
}

void DeviceSoftHolds::upload(const ContactProblem& p, SharedDeviceArrays* arrays,
                             DeviceStream stream) {
  bool counts = fixed_.size() != static_cast<std::size_t>(p.n_env());
  fixed_.resize(static_cast<std::size_t>(p.n_env()));
  for (std::size_t e = 0; e < fixed_.size(); ++e) {
    const SoftSource& source = p.soft[e];
    if (source.model == nullptr) continue;  // its entry does not change
    if (source.holds.holds != nullptr)
      counts = fix(source.holds, &fixed_[e], arrays, stream) || counts;
    else
      counts = std::exchange(fixed_[e], {}).source != nullptr || counts;
  }
  if (counts) count();
  std::vector<std::uint8_t> is_holding(static_cast<std::size_t>(first_.back()), 0);
  for (std::size_t e = 0; e < fixed_.size(); ++e) {
    const HoldStep& step = p.soft[e].holds;
    if (step.holds != nullptr)
      std::copy(step.is_holding.begin(), step.is_holding.end(), is_holding.begin() + first_[e]);
  }
  is_holding_.send(std::move(is_holding), stream);
  target_.send(p, first_, &HoldStep::target, stream);
}

SoftHolds DeviceSoftHolds::of(const SoftSource& source, std::size_t e) const {
  SoftHolds holds;
  if (source.holds.holds == nullptr) return holds;
  const Fixed& f = fixed_[e];
  holds.n_attachment = f.source->n_attachment();
  holds.n_hold = static_cast<std::int32_t>(f.source->hold.size());
  holds.first = first_[e];
  holds.hold = f.hold.get();
  holds.begin = f.begin.get();
  holds.stiffness_N_m = f.stiffness_N_m.get();
  holds.place = f.place.get();
  return holds;
}

}  // namespace nodia
