/// Uploads and downloads the data of soft-soft contacts that a device makes.
#include "host/step/device_pair_contacts.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Slot of a pair of a search. @return  for an edge any of its slots
std::int32_t slot_of(const PairSlots& slots, const SoftPair& pair) {
  return pair.edge < 0 ? slots.first + pair.feature
                       : slots.first + slots.n_vertex + kEdgePairs * pair.feature;
}

/// Pair of a slot, without its position.
SoftPair pair_of(const DeviceSurfaces::Search& search, const PairSlots& slots, std::int32_t slot,
                 std::int32_t edge) {
  return {search.surface_i, search.surface_j, edge < 0 ? slot - slots.first : slots.edge(slot),
          edge};
}

/// First slot of an environment with searches; KeptPair::slot is relative to it.
std::int32_t first_slot(const DevicePairedSurfaces& paired, int env) {
  return paired.slots()[static_cast<std::size_t>(paired.first_search()[env])].first;
}

}  // namespace

void DevicePairContacts::take(const ContactProblem& p, const PairRooms& rooms,
                              DevicePairedSurfaces* paired, DeviceStream stream) {
  std::vector<std::shared_ptr<const ObstacleContacts>> sources;
  for (int e = 0; e < p.n_env(); ++e) {
    const ObstacleStep& step = p.soft[e].obstacles;
    sources.push_back(step.is_inactive ? nullptr : step.contacts);
  }
  if (sources != sources_) {
    std::vector<ContactRule> rules;
    for (const auto& source : sources)
      if (source != nullptr)
        rules.insert(rules.end(), source->pair_rule.begin(), source->pair_rule.end());
    if (rules.size() != paired->searches().size())
      throw RuntimeError("pairs on a device: rules are not those of the searches");
    rule_.assign(rules, stream);
    sources_ = std::move(sources);
  }
  if (rooms.n_contact_node_before != device_n_contact_node_) {
    n_contact_node_before_.assign(rooms.n_contact_node_before, stream);
    device_n_contact_node_ = rooms.n_contact_node_before;
  }
  if (rooms.room == host_room_) return;
  host_room_ = rooms.room;
  room_.assign(rooms.room, stream);
  capacity_ = most_contact_nodes_ = 0;
  std::size_t n_row = 0;
  for (const PairRoom& room : rooms.room) {
    capacity_ += room.n_pair;
    most_contact_nodes_ = std::max(most_contact_nodes_, room.n_contact_node);
    n_row += static_cast<std::size_t>(room.n_contact_node);
  }
  paired->make_room(capacity_, stream);
  const auto n = static_cast<std::size_t>(capacity_);
  pair_.resize(n, stream);
  counts_.resize(rooms.room.size(), stream);
  contact_node_side_.resize(n_row, stream);
  key_.resize(kPairNodes * n, stream);
  sorted_key_.resize(kPairNodes * n, stream);
  item_.resize(kPairNodes * n, stream);
  sorted_item_.resize(kPairNodes * n, stream);
  kept_.renew(n, stream);
  kept_range_.renew(rooms.room.size(), stream);
}

/// The device uses either its own forces for all active environments or the uploaded ones for all.
/// The host computes mixed steps.
void DevicePairContacts::upload_forces(const ContactProblem& p, const DevicePairedSurfaces& paired,
                                       DeviceStream stream) {
  const auto is_given = [&](int e) {
    const ObstacleStep& step = p.soft[e].obstacles;
    return !step.is_inactive && !step.starts_from_last;
  };
  bool any = false;
  for (int e = 0; e < p.n_env(); ++e) any = any || is_given(e);
  if (!any || capacity_ == 0) return;
  std::vector<KeptPair> kept;
  std::vector<KeptRange> ranges(static_cast<std::size_t>(p.n_env()));
  std::size_t search = 0;
  for (int e = 0; e < p.n_env(); ++e) {
    const std::size_t end = static_cast<std::size_t>(paired.first_search()[e + 1]);
    const auto first = static_cast<std::int32_t>(kept.size());
    if (is_given(e)) {
      for (const PairForce& one : p.soft[e].obstacles.pair_forces) {
        const auto is_of = [&](const DeviceSurfaces::Search& s) {
          return s.surface_i == one.pair.surface_i && s.surface_j == one.pair.surface_j;
        };
        while (search < end && !is_of(paired.searches()[search])) ++search;
        if (search == end) throw RuntimeError("pairs on a device: a force of an unknown search");
        kept.push_back({slot_of(paired.slots()[search], one.pair) - first_slot(paired, e),
                        one.pair.edge, one.force});
      }
    } else if (!p.soft[e].obstacles.is_inactive) {
      throw RuntimeError("pairs on a device: forces of some environments are given, of others not");
    }
    ranges[e] = {first, static_cast<std::int32_t>(kept.size()) - first};
    search = end;
  }
  if (kept.size() > kept_.size()) kept_.resize(kept.size(), stream);
  kept_.upload(kept, stream);
  kept_range_.assign(ranges, stream);
}

PairBatch DevicePairContacts::batch(const DevicePairedSurfaces& paired, const PairRecord& record) {
  PairBatch b;
  if (paired.empty()) return b;
  b.paired = paired.paired();
  b.capacity = capacity_;
  b.slot = paired.selected();
  b.n_selected = paired.n_selected();
  b.room = room_.data();
  b.n_contact_node = most_contact_nodes_;
  b.n_contact_node_before = n_contact_node_before_.data();
  b.rule = rule_.data();
  b.coupling = coupling_;
  b.pair = pair_.data();
  b.counts = counts_.data();
  b.contact_node_side = contact_node_side_.data();
  b.key = key_.data();
  b.sorted_key = sorted_key_.data();
  b.item = item_.data();
  b.sorted_item = sorted_item_.data();
  b.kept = kept_.data();
  b.kept_range = kept_range_.data();
  b.depth = record.depth;
  b.report = record.report;
  b.fit = record.fit;
  return b;
}

void DevicePairContacts::set_reports(std::vector<PairReport> report) {
  reports_ = std::move(report);
  if (capacity_ == 0) reports_.clear();
  for (std::size_t e = 0; e < reports_.size(); ++e)
    device_n_contact_node_[e] = reports_[e].n_contact_node;
}

/// First pair of an environment in the list.
int DevicePairContacts::first_pair(int env) const {
  int first = 0;
  for (int e = 0; e < env; ++e) first += n_pair(e);
  return first;
}

void DevicePairContacts::fetch(const std::vector<EnvironmentRange>& ranges, DeviceFetches* fetches,
                               DeviceStream stream) {
  if (reports_.empty() || capacity_ == 0) return;
  host_pairs_.resize(static_cast<std::size_t>(capacity_));
  for (const EnvironmentRange& range : ranges) {
    const int first = first_pair(range.begin), end = first_pair(range.end);
    if (first == end) continue;
    fetches->add(host_pairs_.data() + first, pair_.data() + first,
                 static_cast<std::size_t>(end - first) * sizeof(PairContact), stream);
  }
}

void DevicePairContacts::put(const std::vector<EnvironmentRange>& ranges,
                             const DevicePairedSurfaces& paired, DownloadedContacts* made) const {
  for (const EnvironmentRange& range : ranges) {
    int k = first_pair(range.begin);
    for (int e = range.begin; e < range.end; ++e) {
      for (const int end = k + n_pair(e); k < end; ++k) {
        const PairContact& one = host_pairs_[static_cast<std::size_t>(k)];
        const auto s = static_cast<std::size_t>(one.search);
        made[e].pair.push_back(
            pair_of(paired.searches()[s], paired.slots()[s], one.slot, one.edge));
        made[e].pair.back().at = one.hit;
        made[e].lambda.push_back(one.lambda);
      }
    }
  }
}

void DevicePairContacts::fetch_last_forces(DeviceFetches* fetches, DeviceStream stream) {
  if (capacity_ == 0) return;
  host_kept_.resize(kept_.size());
  host_kept_range_.resize(kept_range_.size());
  fetches->add(host_kept_.data(), kept_.data(), host_kept_.size() * sizeof(KeptPair), stream);
  fetches->add(host_kept_range_.data(), kept_range_.data(),
               host_kept_range_.size() * sizeof(KeptRange), stream);
}

void DevicePairContacts::put_last_forces(const std::vector<EnvironmentRange>& ranges,
                                         const DevicePairedSurfaces& paired,
                                         DownloadedContacts* made) const {
  if (capacity_ == 0) return;
  for (const EnvironmentRange& range : ranges)
    for (int e = range.begin; e < range.end; ++e) {
      const KeptRange own = host_kept_range_[static_cast<std::size_t>(e)];
      auto s = static_cast<std::size_t>(paired.first_search()[e]);
      for (std::int32_t k = own.first; k < own.first + own.n; ++k) {
        const KeptPair& one = host_kept_[static_cast<std::size_t>(k)];
        const std::int32_t slot = first_slot(paired, e) + one.slot;
        while (slot >= paired.slots()[s].end()) ++s;
        made[e].pair.push_back(pair_of(paired.searches()[s], paired.slots()[s], slot, one.edge));
        made[e].lambda.push_back(one.force);
      }
    }
}

}  // namespace nodia
