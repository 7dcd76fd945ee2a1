/// Uploads and downloads the data of contacts that a device makes.
#include "host/step/device_soft_contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "kernels/core/error.hpp"
#include "kernels/core/same_bits.hpp"
#include "kernels/step/device/device_soft_step.hpp"

namespace nodia {
namespace {

const ObstacleStep& step_of(const ContactProblem& p, std::size_t env) {
  return p.soft[env].obstacles;
}

/// First index of every environment's part of an array. @param count  count(e)
template <class Count>
std::vector<int> begins_of(std::size_t n_env, const Count& count) {
  std::vector<int> first{0};
  for (std::size_t e = 0; e < n_env; ++e) first.push_back(first.back() + count(e));
  return first;
}

}  // namespace

/// Uploads constant data that have changed. @return whether any have changed
bool DeviceSoftContacts::fix(const ContactProblem& p, const RowLayout& rows,
                             const std::vector<std::uint8_t>& renewed, DeviceStream stream) {
  bool any = fixed_.empty();
  fixed_.resize(static_cast<std::size_t>(p.n_env()));
  for (std::size_t e = 0; e < fixed_.size(); ++e) {
    const std::shared_ptr<const ObstacleContacts>& source = step_of(p, e).contacts;
    Fixed& f = fixed_[e];
    if (f.source == source && renewed[e] == 0) continue;
    any = true;
    new_obstacles_ = true;
    f.source = source;
    const auto get = [&](const auto& list) {
      return arrays_.get(source, list.data(), list.size(), stream);
    };
    f.surface = get(source->surface);
    f.may_collide = get(source->may_collide);
    f.rule = get(source->rule);
    f.extent = get(source->extent);
    f.body = get(source->body);
    auto row = std::make_shared<std::vector<std::int32_t>>(source->surface.size());
    for (std::size_t node = 0; node < row->size(); ++node)
      (*row)[node] = rows.local_row(p.env_node_begin[e] + static_cast<std::int32_t>(node));
    f.row = arrays_.get(row, row->data(), row->size(), stream);
    f.shape = source->shape;
    f.meshes.clear();
    for (Shape& shape : f.shape) {
      DistanceGridView& grid = shape.grid;
      if (shape.kind != ShapeKind::distance_grid) grid = {};
      const auto upload = [&](auto*& list, std::int64_t n) {
        const auto on_device = arrays_.get(source, list, static_cast<std::size_t>(n), stream);
        list = on_device.get();
        f.meshes.push_back(on_device);
      };
      MeshSurfaceView& mesh = grid.mesh;
      upload(grid.value, grid.n_sample());
      upload(mesh.vertex, mesh.n_vertex);
      upload(mesh.vertex_normal, mesh.n_vertex);
      upload(mesh.edge_normal, mesh.n_edge);
      upload(mesh.triangle, mesh.n_triangle);
      upload(mesh.cell_begin, mesh.cell_begin == nullptr ? 0 : grid.n_sample() + 1);
      upload(mesh.near, mesh.n_near);
    }
  }
  return any;
}

void DeviceSoftContacts::make_room(const LoopRanges& ranges, DeviceStream stream) {
  const std::size_t n_env = fixed_.size();
  n_node_ = n_obstacle_ = n_body_ = n_tet_ = n_chunk_ = 0;
  for (std::size_t e = 0; e < n_env; ++e) {
    n_node_ = std::max(n_node_, fixed_[e].n_node());
    n_obstacle_ = std::max(n_obstacle_, fixed_[e].n_obstacle());
    n_body_ = std::max(n_body_, fixed_[e].n_body());
    n_tet_ = std::max(n_tet_, fixed_[e].source->n_tet);
    n_chunk_ = std::max(n_chunk_, ranges[e].n_chunk);
  }
  first_node_ = begins_of(n_env, [&](std::size_t e) { return fixed_[e].n_node(); });
  first_obstacle_ = begins_of(n_env, [&](std::size_t e) { return fixed_[e].n_obstacle(); });
  first_sum_ = begins_of(n_env, [&](std::size_t e) {
    return body_chunk_count(fixed_[e].n_node(), fixed_[e].n_body());
  });
  first_tet_chunk_ =
      begins_of(n_env, [&](std::size_t e) { return item_count(fixed_[e].source->n_tet); });
  first_place_ = begins_of(n_env, [&](std::size_t e) { return fixed_[e].n_place(); });
  totals_.reports.depth_begin =
      begins_of(n_env, [&](std::size_t e) { return fixed_[e].n_body() * fixed_[e].n_obstacle(); });
  first_chunk_depth_ = begins_of(n_env, [&](std::size_t e) {
    return body_chunk_count(fixed_[e].n_node(), fixed_[e].n_body()) * fixed_[e].n_obstacle();
  });
  const auto n_place = static_cast<std::size_t>(first_place_.back()),
             n_node = static_cast<std::size_t>(first_node_.back());
  kept_.resize(3 * n_place, stream);
  slot_.resize(n_place, stream);
  flagged_.resize(n_place, stream);
  n_flagged_.resize(1, stream);
  v_free_.resize(3 * n_node, stream);
  own_share_.resize(3 * n_node, stream);
  body_sum_.resize(static_cast<std::size_t>(first_sum_.back()), stream);
  largest_squared_speed_.resize(n_env * static_cast<std::size_t>(item_count(n_node_)), stream);
  prepared_.resize(static_cast<std::size_t>(first_obstacle_.back()), stream);
  chunk_depth_.resize(static_cast<std::size_t>(first_chunk_depth_.back()), stream);
  elastic_sum_.resize(static_cast<std::size_t>(first_tet_chunk_.back()), stream);
  if (flag_.size() != n_place) flag_.renew(n_place, stream);
  if (n_place > most_flags_) {
    select_ = DeviceSelectFlagged(static_cast<int>(n_place));
    most_flags_ = n_place;
  }
}

/// Uploads the frames of attachments. Most start where they ended the last step, or are at rest.
void DeviceSoftContacts::upload_frames(const ContactProblem& p,
                                       const DeviceAttachments& attachments, DeviceStream stream) {
  const std::vector<int>& first = attachments.first();
  if (!frames_[1 - end_slot_].are(p, first, &AttachmentStep::begin) ||
      !frames_[end_slot_].are(p, first, &AttachmentStep::end)) {
    end_slot_ = 1 - end_slot_;
    frames_[1 - end_slot_].send(p, first, &AttachmentStep::begin, stream);
    frames_[end_slot_].send(p, first, &AttachmentStep::end, stream);
  }
  device_end_slot_.send({end_slot_}, stream);
  attachment_chunk_sum_.resize(static_cast<std::size_t>(attachments.first().back()) *
                                   static_cast<std::size_t>(item_count(attachments.most_nodes())),
                               stream);
}

/// @param motions  motions(e): obstacles of environment e; empty for an inactive environment
template <class Motions>
bool DeviceSoftContacts::put(const Motions& motions, ObstaclePose* to) const {
  std::atomic<bool> any = false;
  for_each_environment(static_cast<int>(fixed_.size()), 0, [&](int env) {
    const auto e = static_cast<std::size_t>(env);
    const std::span<const ObstacleMotion> own = motions(env);
    for (std::size_t k = 0; k < fixed_[e].shape.size(); ++k) {
      ObstaclePose pose;
      pose.shape = fixed_[e].shape[k];
      if (!own.empty()) {
        pose.now = own[k].now;
        pose.next = own[k].next;
      }
      ObstaclePose& last = to[static_cast<std::size_t>(first_obstacle_[e]) + k];
      if (!same_bits(pose.now, last.now) || !same_bits(pose.next, last.next)) any = true;
      last = pose;
    }
  });
  return any;
}

bool DeviceSoftContacts::put_obstacles(const ContactProblem& p, bool fresh, ObstaclePose* to) {
  const bool any = std::exchange(new_obstacles_, false) || fresh;
  const bool moved = put(
      [&](int env) {
        const ObstacleStep& step = step_of(p, static_cast<std::size_t>(env));
        return step.is_inactive ? std::span<const ObstacleMotion>() : step.obstacle;
      },
      to);
  return any || moved;
}

bool DeviceSoftContacts::put_obstacles(const PrefetchedSteps& ahead, int k, ObstaclePose* to) {
  return put([&](int env) { return ahead.obstacles(k, env); }, to);
}

/// Writes SoftContacts of all environments on the device.
void DeviceSoftContacts::point(const ContactProblem& p, const LoopRanges& ranges,
                               const DeviceSoftRows& soft, const SoftRecord& record,
                               DeviceStream stream) {
  std::vector<SoftContacts> all(fixed_.size());
  n_slot_ = 0;
  for (std::size_t e = 0; e < fixed_.size(); ++e) {
    n_slot_ = std::max(n_slot_, ranges[e].n_slot);
    if (step_of(p, e).is_inactive)
      device_clear(flag_.data() + first_place_[e], static_cast<std::size_t>(fixed_[e].n_place()),
                   stream);
  }
  for_each_environment(p.n_env(), 0, [&](int env) {
    const auto e = static_cast<std::size_t>(env);
    SoftContacts& c = all[e];
    c.n_multi_contact = record.n_multi_contact + e;
    c.multi_contact_capacity = ranges[e].first_coupled_slot - ranges[e].first_contact_node_row;
    const Fixed& f = fixed_[e];
    const bool is_inactive = step_of(p, e).is_inactive;
    const std::int64_t place = first_place_[e], node = first_node_[e];
    c.near.n_node = is_inactive ? 0 : f.n_node();
    c.near.n_obstacle = f.n_obstacle();
    c.near.reach = f.source->reach;
    c.near.x = {soft.on_host()[e].x, 3};
    c.near.v = {soft.on_host()[e].v, 3};
    c.near.v_free = {v_free_.data() + 3 * node, 3};
    c.near.obstacle = record.obstacle + first_obstacle_[e];
    c.near.prepared = prepared_.data() + first_obstacle_[e];
    c.near.largest_squared_speed =
        largest_squared_speed_.data() + e * static_cast<std::size_t>(item_count(n_node_));
    c.near.flag = flag_.data() + place;
    c.row = f.row.get();
    c.n_body = f.n_body();
    c.body = f.body.get();
    c.surface = f.surface.get();
    c.may_collide = f.may_collide.get();
    c.rule = f.rule.get();
    c.extent = f.extent.get();
    c.times = f.source->times;
    c.own_share = own_share_.data() + 3 * node;
    c.body_sum = body_sum_.data() + first_sum_[e];
    c.v_free = v_free_.data() + 3 * node;
    c.kept = kept_.data() + 3 * place;
    c.slot = slot_.data() + place;
    c.elastic_sum = elastic_sum_.data() + first_tet_chunk_[e];
    c.chunk_depth = chunk_depth_.data() + first_chunk_depth_[e];
    c.depth = record.depth + totals_.reports.depth_begin[e];
  });
  paired_.take(p, soft, all, stream);
  totals_.reports.pair_depth_begin = paired_.first_search();
  if (all == host_) return;
  device_.assign(all, stream);
  host_ = std::move(all);
}

/// Uploads the forces of environments that the device does not have.
void DeviceSoftContacts::upload_forces(const ContactProblem& p, DeviceQueue queue) {
  std::vector<std::int32_t> envs;
  std::vector<PlacedForce> forces;
  for (int e = 0; e < p.n_env(); ++e) {
    const ObstacleStep& step = step_of(p, static_cast<std::size_t>(e));
    if (step.is_inactive || step.starts_from_last) continue;
    envs.push_back(e);
    for (const auto& [place, force] : step.forces) forces.push_back({e, place, force});
  }
  if (envs.empty()) return;
  given_env_.assign(envs, queue.stream);
  given_.assign(forces, queue.stream);
  GivenForces given;
  given.contacts = device_.data();
  given.n_place = n_node_ * n_obstacle_;
  given.n_env = static_cast<int>(envs.size());
  given.n_force = static_cast<int>(forces.size());
  given.env = given_env_.data();
  given.force = given_.data();
  give_forces_on_device(given, queue);
}

void DeviceSoftContacts::take(const ContactProblem& problem, const RowLayout& rows,
                              const std::vector<std::uint8_t>& renewed, const LoopRanges& ranges,
                              DeviceStream stream) {
  if (fix(problem, rows, renewed, stream)) make_room(ranges, stream);
}

void DeviceSoftContacts::add_sizes(const DeviceAttachments& attachments, StepSizes* sizes) const {
  sizes->n_evaluated = fixed_.size();
  sizes->n_depth = static_cast<std::size_t>(totals_.reports.depth_begin.back());
  sizes->n_attachment = static_cast<std::size_t>(attachments.first().back());
  sizes->n_obstacle = static_cast<std::size_t>(first_obstacle_.back());
  sizes->n_search = 0;
  for (const Fixed& f : fixed_) sizes->n_search += f.source->pair_rule.size();
  sizes->n_paired = sizes->n_search > 0 ? fixed_.size() : 0;
}

void DeviceSoftContacts::upload(const ContactProblem& problem, const LoopRanges& ranges,
                                const DeviceSoftRows& soft, const SoftRecord& record,
                                DeviceQueue queue) {
  totals_.reports.attachment_begin = soft.attachments().first();
  if (soft.attachments().most_attachments() > 0)
    upload_frames(problem, soft.attachments(), queue.stream);
  point(problem, ranges, soft, record, queue.stream);
  upload_forces(problem, queue);
}

void DeviceSoftContacts::upload_pairs(const ContactProblem& problem, const PairRooms& rooms,
                                      DeviceStream stream) {
  if (!surfaces_may_collide()) return;
  pairs_.take(problem, rooms, &paired_, stream);
  pairs_.upload_forces(problem, paired_, stream);
}

void DeviceSoftContacts::set_reports_of_step(std::vector<SoftEvaluation> evaluation,
                                             std::vector<SoftEnd> end, std::vector<SoftDepth> depth,
                                             std::vector<AttachmentSums> attachment_sums,
                                             std::vector<PairReport> pairs,
                                             std::vector<double> pair_depth) {
  totals_.evaluation = std::move(evaluation);
  totals_.reports.end = std::move(end);
  totals_.reports.depth = std::move(depth);
  totals_.reports.attachment_sums = std::move(attachment_sums);
  totals_.reports.pair_depth = std::move(pair_depth);
  pairs_.set_reports(std::move(pairs));
}

/// Number of contacts with obstacles, from the report.
int DeviceSoftContacts::near_of(EnvironmentRange range) const {
  int n = 0;
  for (int e = range.begin; e < range.end; ++e)
    if (host_[e].near.n_node > 0) n += totals_.reports.end[e].n_contact - pairs_.n_pair(e);
  return n;
}

void DeviceSoftContacts::fetch_contacts(const std::vector<EnvironmentRange>& ranges,
                                        DeviceFetches* fetches, DeviceQueue queue) {
  const DeviceStream stream = queue.stream;
  std::size_t n_all = 0;
  for (const EnvironmentRange& range : ranges) n_all += static_cast<std::size_t>(near_of(range));
  near_force_.resize(n_all, stream);
  n_flagged_.resize(ranges.size(), stream);
  host_near_force_.resize(n_all);
  places_.resize(n_all);
  host_n_flagged_.assign(ranges.size(), 0);
  std::size_t at = 0;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const auto n = static_cast<std::size_t>(near_of(ranges[k]));
    if (n == 0) continue;
    const std::ptrdiff_t first = first_place_[ranges[k].begin];
    NearForces near;
    near.kept = kept_.data() + 3 * first;
    near.flagged = flagged_.data() + first;
    near.n_flagged = n_flagged_.data() + k;
    near.capacity = static_cast<int>(n);
    near.force = reinterpret_cast<double*>(near_force_.data() + at);
    select_(flag_.data() + first, first_place_[ranges[k].end] - first_place_[ranges[k].begin],
            flagged_.data() + first, n_flagged_.data() + k, stream);
    gather_forces_on_device(near, queue);
    fetches->add(&host_n_flagged_[k], near.n_flagged, sizeof(std::int32_t), stream);
    fetches->add(&places_[at], near.flagged, n * sizeof(std::int32_t), stream);
    fetches->add(&host_near_force_[at], near.force, n * sizeof(Vec3d), stream);
    at += n;
  }
  pairs_.fetch(ranges, fetches, stream);
}

void DeviceSoftContacts::fetch_last_forces(const std::vector<EnvironmentRange>& ranges,
                                           DeviceFetches* fetches, DeviceStream stream) {
  host_near_force_.resize(static_cast<std::size_t>(first_place_.back()));
  for (const EnvironmentRange& range : ranges) {
    const std::ptrdiff_t first = first_place_[range.begin], end = first_place_[range.end];
    fetches->add(host_near_force_.data() + first, kept_.data() + 3 * first,
                 static_cast<std::size_t>(end - first) * sizeof(Vec3d), stream);
  }
  pairs_.fetch_last_forces(fetches, stream);
}

void DeviceSoftContacts::put_last_forces(const std::vector<EnvironmentRange>& ranges,
                                         DownloadedContacts* made) const {
  for (const EnvironmentRange& range : ranges)
    for (int e = range.begin; e < range.end; ++e) {
      DownloadedContacts& own = made[e];
      own.clear();
      const int n_obstacle = fixed_[e].n_obstacle();
      for (int place = first_place_[e]; place < first_place_[e + 1]; ++place) {
        const Vec3d force = host_near_force_[place], none{};
        if (same_bits(force, none)) continue;
        const std::int32_t k = place - first_place_[e];
        own.near.push_back({k / n_obstacle, k % n_obstacle});
        own.lambda.push_back(force);
      }
    }
  pairs_.put_last_forces(ranges, paired_, made);
}

void DeviceSoftContacts::put_contacts(const std::vector<EnvironmentRange>& ranges,
                                      DownloadedContacts* made) const {
  std::size_t at = 0;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    const int n = near_of(ranges[k]), first = first_place_[ranges[k].begin];
    if (host_n_flagged_[k] != n)
      throw RuntimeError(
          fmt::format("contacts on a device: {} where {} were counted", host_n_flagged_[k], n));
    const std::size_t end = at + static_cast<std::size_t>(n);
    for (int e = ranges[k].begin; e < ranges[k].end; ++e) {
      DownloadedContacts& own = made[e];
      own.clear();
      const int n_obstacle = fixed_[e].n_obstacle();
      for (; at < end && first + places_[at] < first_place_[e + 1]; ++at) {
        const std::int32_t place = first + places_[at] - first_place_[e];
        own.near.push_back({place / n_obstacle, place % n_obstacle});
        own.lambda.push_back(host_near_force_[at]);
      }
    }
  }
  pairs_.put(ranges, paired_, made);
}

}  // namespace nodia
