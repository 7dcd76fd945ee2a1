/// Kernels of the ticket stress test.
#include "kernels/device/ticket_litmus.hpp"

#include <cstdlib>

#include "kernels/device/device_buffer.hpp"
#include "kernels/device/graph.cuh"

namespace nodia {
namespace {

constexpr const char* kWhat = "ticket litmus";
constexpr int kWordsPerLane = 2;

/// Memory orders that a decision can request. tests/tools/test_device_code.py uses the names.
struct Ordered {
  static constexpr detail::TicketOrder kOrder{};
};
struct WithoutRelease {
  static constexpr detail::TicketOrder kOrder{.releases = false};
};
struct WithoutAcquire {
  static constexpr detail::TicketOrder kOrder{.acquires = false};
};

/// Arrays of one launch in device memory.
struct LitmusArrays {
  const std::uint32_t* round;
  std::uint32_t* word;       ///< kWordsPerLane * kBlockLanes per item: the round that stored it
  std::uint32_t* busy;       ///< kBlockLanes words that all items store to; never read
  std::uint32_t* n_stale;    ///< kBlockLanes per group
  std::uint32_t* n_decided;  ///< one per group
  std::int32_t* ticket;      ///< one per group
  int group_size;

  __device__ std::uint32_t* word_of(int item, int k, int lane) const {
    return word + (item * kWordsPerLane + k) * kBlockLanes + lane;
  }
};

/// Loads the words of all items of its group, then stores the round into its own.
struct PlantAndStore {
  LitmusArrays arrays;

  struct Shared {
    std::uint32_t round[kBlockLanes], sum[kBlockLanes];
  };
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int) { return {}; }
  template <class Memory>
  __device__ bool enabled(int, Memory) const {
    return true;
  }

  template <int phase, class, class Memory>
  __device__ void run(int item, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0) {
      const int first = item / arrays.group_size * arrays.group_size;
      std::uint32_t sum = 0;
      for (int i = first; i < first + arrays.group_size; ++i)
        for (int k = 0; k < kWordsPerLane; ++k) sum += memory.read(arrays.word_of(i, k, lane));
      memory.write(&shared.sum[lane], sum);  // the loads must have a use
      memory.write(&shared.round[lane], memory.read(arrays.round));
    } else {
      // All items store to the same addresses. This delays the stores that follow, so that a ticket
      // that does not wait for them can overtake them.
      memory.write(&arrays.busy[lane], memory.read(&shared.sum[lane]));
      const std::uint32_t round = memory.read(&shared.round[lane]);
      for (int k = 0; k < kWordsPerLane; ++k) memory.write(arrays.word_of(item, k, lane), round);
    }
  }
};

/// Counts the stale words of a group, as the decision of its last block.
template <class Order>
struct CountStaleWords {
  static constexpr detail::TicketOrder kTicketOrder = Order::kOrder;
  LitmusArrays arrays;

  using Shared = NoShared;
  static constexpr int kPhases = 1;
  static constexpr PhaseShape shape(int) { return {}; }
  template <class Memory>
  __device__ bool enabled(int, Memory) const {
    return true;
  }
  template <class Memory>
  __device__ int group_of(int item, Memory) const {
    return item / arrays.group_size;
  }
  __device__ int group_size(int) const { return arrays.group_size; }
  __device__ std::int32_t* ticket(int group) const { return arrays.ticket + group; }

  template <int phase, class, class Memory>
  __device__ void run(int group, int lane, Shared&, Memory memory) const {
    const std::uint32_t round = memory.read(arrays.round);
    std::uint32_t* const total = arrays.n_stale + group * kBlockLanes + lane;
    std::uint32_t n_stale = memory.read(total);
    for (int i = group * arrays.group_size; i < (group + 1) * arrays.group_size; ++i)
      for (int k = 0; k < kWordsPerLane; ++k)
        n_stale += memory.read(arrays.word_of(i, k, lane)) != round ? 1 : 0;
    memory.write(total, n_stale);
    if (lane == 0)
      memory.write(arrays.n_decided + group, memory.read(arrays.n_decided + group) + 1);
  }
};

/// Counts the stale words of one group, then starts the next round. Decides at the end of a launch.
struct EndRound {
  CountStaleWords<Ordered> count;
  std::uint32_t* round;

  using Shared = NoShared;
  static constexpr int kPhases = 2;
  static constexpr PhaseShape shape(int) { return {}; }
  template <class Memory>
  __device__ bool enabled(int, Memory) const {
    return true;
  }
  __device__ std::int32_t* ticket() const { return count.ticket(0); }

  template <int phase, class Isa, class Memory>
  __device__ void run(int, int lane, Shared& shared, Memory memory) const {
    if constexpr (phase == 0)
      count.template run<0, Isa>(0, lane, shared, memory);
    else if (lane == 0)
      memory.write(round, memory.read(round) + 1);
  }
};

/// Owns the arrays of a launch with `n_group` groups.
class LitmusMemory {
 public:
  LitmusMemory(const std::uint32_t* round, int n_group, int group_size)
      : n_item_(std::vector<std::int32_t>{n_group * group_size}),
        word_(zeros<std::uint32_t>(n_group * group_size * kWordsPerLane * kBlockLanes)),
        busy_(zeros<std::uint32_t>(kBlockLanes)),
        n_stale_(zeros<std::uint32_t>(n_group * kBlockLanes)),
        n_decided_(zeros<std::uint32_t>(n_group)),
        ticket_(zeros<std::int32_t>(n_group)),
        arrays_{round,          word_.data(), busy_.data(), n_stale_.data(), n_decided_.data(),
                ticket_.data(), group_size} {}

  const std::int32_t* n_item() const { return n_item_.data(); }
  const LitmusArrays& arrays() const { return arrays_; }

  /// Adds the counts of the decisions. Waits for the stream.
  void add_to(TicketFindings* findings, int n_round, DeviceStream stream) const {
    for (const std::uint32_t n : n_stale_.download(stream)) findings->n_stale += n;
    for (const std::uint32_t n : n_decided_.download(stream))
      findings->n_miscounted += std::abs(static_cast<std::int64_t>(n) - n_round);
  }

 private:
  template <class T>
  static DeviceBuffer<T> zeros(int n) {
    return DeviceBuffer<T>(std::vector<T>(n));
  }

  DeviceBuffer<std::int32_t> n_item_;
  DeviceBuffer<std::uint32_t> word_, busy_, n_stale_, n_decided_;
  DeviceBuffer<std::int32_t> ticket_;
  LitmusArrays arrays_;
};

template <class Order>
TicketFindings run_rounds(const TicketShape& shape, int n_round) {
  const OwnedStream stream(kWhat);
  DeviceBuffer<std::uint32_t> round(std::vector<std::uint32_t>{1});
  DeviceBuffer<LoopCondition> condition(
      std::vector<LoopCondition>{{.running = 1, .max_body = n_round}});
  const LitmusMemory groups(round.data(), shape.n_group, shape.group_size);
  const LitmusMemory end(round.data(), 1, shape.group_size);
  const GraphExec graph = record_graph([&] {
    GraphRecorder recorder(kWhat, stream.get(), shape.n_block, nullptr);
    recorder.repeat_while(condition.data(), [&] {
      recorder.launch_then("PlantAndStore", PlantAndStore{groups.arrays()}, groups.n_item(),
                           "CountStaleWords", CountStaleWords<Order>{groups.arrays()});
      recorder.launch_last("PlantAndStore", PlantAndStore{end.arrays()}, end.n_item(), "EndRound",
                           EndRound{{end.arrays()}, round.data()});
    });
    return recorder.take();
  });
  graph.launch(stream.get());
  TicketFindings findings;
  groups.add_to(&findings, n_round, stream.get());
  end.add_to(&findings, n_round, stream.get());
  return findings;
}

}  // namespace

TicketFindings run_ticket_litmus(Tickets tickets, const TicketShape& shape, int n_round) {
  switch (tickets) {
    case Tickets::without_release:
      return run_rounds<WithoutRelease>(shape, n_round);
    case Tickets::without_acquire:
      return run_rounds<WithoutAcquire>(shape, n_round);
    default:
      return run_rounds<Ordered>(shape, n_round);
  }
}

}  // namespace nodia
