/// Uploads and downloads the data of a time step on a device.
#include "host/step/device_step.hpp"

namespace nodia {

template <class Precision>
void DeviceStep<Precision>::upload_contacts(const LaidOutProblem& in, Block* block,
                                            const PairRooms& rooms, DeviceQueue queue) {
  contacts_.upload(in.problem, in.ranges, rows_, record_of(block), queue);
  contacts_.upload_pairs(in.problem, rooms, queue.stream);
}

template <class Precision>
void DeviceStep<Precision>::move_contacts(const LaidOutProblem& in, Block* block,
                                          DeviceStream stream) {
  contacts_.point(in.problem, in.ranges, rows_, record_of(block), stream);
}

template <class Precision>
void DeviceStep<Precision>::add_contacts(VfpiEnvironment<Precision>* env,
                                         const VfpiOptions& options, Block* block,
                                         StepParts<Precision>* step) {
  step->soft = contacts_.batch(rows_, options, env, record_of(block));
  step->paired = contacts_.paired();
}

template <class Precision>
void DeviceStep<Precision>::take_report(Block* block) {
  contacts_.set_reports_of_step(block->list(block->evaluation), block->list(block->soft_end),
                                block->list(block->depth), block->list(block->attachment_sums),
                                block->list(block->pairs), block->list(block->pair_depth));
}

template <class Precision>
void DeviceStep<Precision>::begin_download(const std::vector<EnvironmentRange>& ranges,
                                           bool rejected, DeviceFetches* fetches,
                                           DeviceQueue queue) {
  for (const EnvironmentRange& range : ranges)
    rows_.take_starts(range.begin, range.end, fetches, queue.stream);
  if (rejected)
    contacts_.fetch_last_forces(ranges, fetches, queue.stream);
  else
    contacts_.fetch_contacts(ranges, fetches, queue);
}

template <class Precision>
void DeviceStep<Precision>::end_download(const ContactProblem& problem,
                                         const std::vector<EnvironmentRange>& ranges, bool rejected,
                                         std::vector<DownloadedContacts>* made,
                                         std::vector<Vec3d>* start_x,
                                         std::vector<Vec3d>* start_v) const {
  if (rejected)
    contacts_.put_last_forces(ranges, made->data());
  else
    contacts_.put_contacts(ranges, made->data());
  for (const EnvironmentRange& range : ranges)
    rows_.put_starts(problem, range.begin, range.end, start_x, start_v);
}

/// Addresses of a step's report in the block.
template <class Precision>
SoftRecord DeviceStep<Precision>::record_of(Block* block) {
  SoftRecord record;
  record.gates = block->device(block->gates);
  record.n_multi_contact = block->device(block->n_multi_contact);
  record.evaluation = block->device(block->evaluation);
  record.end = block->device(block->soft_end);
  record.depth = block->device(block->depth);
  record.attachment_sums = block->device(block->attachment_sums);
  record.pairs = block->device(block->pairs);
  record.pair_depth = block->device(block->pair_depth);
  record.obstacle = block->device(block->obstacle);
  return record;
}

template class DeviceStep<DoublePrecision>;
template class DeviceStep<MixedPrecision>;
template class DeviceStep<FloatPrecision>;

}  // namespace nodia
