/// Race detector: runs the blocks and lanes of a kernel on one CPU thread as a GPU would, to test
/// the algorithm between barriers without a GPU.
///
/// A launch is a grid of blocks that stride over the items. Blocks advance phase by phase in a
/// random interleaving; in a phase, lanes run in random order. A shadow (shadow.hpp) finds:
///
///   lanes of one phase that access the same bytes, at least one of them writing;
///   items of one launch that access the same global memory, at least one of them writing, even if
///   one block runs both;
///   reads of Shared memory that was not written for the item;
///   with strict_regions, accesses outside every registered array.
///
/// One lane performs the reads of enabled() before a barrier. Only accesses through Memory are
/// checked.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <random>

#include "kernels/launch/kernel.hpp"
#include "kernels/launch/loop_condition.hpp"
#include "tests/devices/race_detector/watched_memory.hpp"

namespace nodia {

struct RaceOptions {
  std::uint64_t seed = 1;         ///< seed of the random orders
  int n_block = 5;                ///< size of the grid, >= 1
  bool strict_regions = false;    ///< global memory outside name_region()'s arrays is out of bounds
  bool throw_on_conflict = true;  ///< throw immediately; otherwise see conflicts()

  /// Throws InputError if an option is out of range.
  void validate() const;
};

class RaceDetector {
 public:
  explicit RaceDetector(const RaceOptions& options = {});

  /// Runs items 0 .. n_item - 1 to completion.
  template <class Kernel>
  void launch(const char* name, const Kernel& kernel, int n_item) {
    shadow_.begin_launch(name);
    run_grid(kernel, n_item);
  }
  /// Runs *n_item items; every block reads the number of items when it starts.
  template <class Kernel>
  void launch(const char* name, const Kernel& kernel, const int* n_item) {
    shadow_.begin_launch(name);
    shadow_.begin_launch_reads();
    run_grid(kernel, RaceMemory(&shadow_).read(n_item));
  }

  /// Also runs the decisions of groups (kernels/launch/decision.hpp). The block that completes a
  /// group's last item decides, while other blocks continue.
  template <class Kernel, class Decision>
  void launch_then(const char* name, const Kernel& kernel, const int* n_item, const char*,
                   const Decision& decision) {
    std::vector<int> group(*n_item);
    for (int item = 0; item < *n_item; ++item)
      group[item] = decision.group_of(item, DirectMemory{});
    shadow_.begin_launch(name, group);
    shadow_.begin_launch_reads();
    run_grid(kernel, RaceMemory(&shadow_).read(n_item),
             DecisionOfGroups<Decision>{decision, group});
  }

  /// Calls body() while the condition holds; the condition is read between bodies only.
  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    repeat_on_host(condition, body);
  }

  /// Names `bytes` bytes of global memory for messages and for strict_regions.
  template <class T>
  void name_region(const T* pointer, std::size_t bytes, const char* name) {
    shadow_.name_region(pointer, bytes, sizeof(T), name);
  }
  /// Conflicts of all launches so far, at most RaceShadow::kMaxConflicts.
  const std::vector<RaceConflict>& conflicts() const { return shadow_.conflicts(); }

 private:
  static constexpr std::size_t kSharedAlignment = 64;
  static constexpr int kPoison = 0xff;  ///< floats become NaN, signed integers -1

  struct FreeShared {
    void operator()(std::byte* p) const {
      ::operator delete[](p, std::align_val_t{kSharedAlignment});
    }
  };
  using SharedBytes = std::unique_ptr<std::byte[], FreeShared>;

  /// Launch without decisions.
  struct NoDecision {};
  template <class Decision>
  struct DecisionOfGroups {
    const Decision& decision;
    const std::vector<int>& group;  ///< of every item
    std::map<int, int> n_ended{};   ///< completed items per group
  };
  template <class Kernel>
  static constexpr std::size_t shared_bytes(const Kernel&) {
    return sizeof(typename Kernel::Shared);
  }
  static constexpr std::size_t shared_bytes(NoDecision) { return 0; }
  template <class Decision>
  static constexpr std::size_t shared_bytes(const DecisionOfGroups<Decision>&) {
    return sizeof(typename Decision::Shared);
  }

  template <class Kernel, class Then = NoDecision>
  void run_grid(const Kernel& kernel, int n_item, Then then = {});
  /// Runs enabled(), or one phase or round of the block's item. Returns false at the item's end.
  template <class Kernel>
  bool advance(const Kernel& kernel, RaceBlock* block);
  /// Advances the block, also to its next item. Returns false if no items remain.
  template <class Kernel, class Then>
  bool advance(const Kernel& kernel, int n_item, Then* then, RaceBlock* block);
  /// Runs the block's phase or a round of it, and selects the next. One lane reads in n_lane().
  template <class Kernel, int phase>
  static void run_phase(const Kernel& kernel, RaceBlock* block, RaceDetector* launcher);
  template <class Kernel>
  static constexpr bool has_plain_shared() {
    using Shared = typename Kernel::Shared;
    return std::is_trivially_default_constructible_v<Shared> &&
           std::is_trivially_destructible_v<Shared> && alignof(Shared) <= kSharedAlignment;
  }

  /// Uniform random number in 0 .. n - 1.
  int draw(int n);
  /// Numbers 0 .. n_lane - 1 in random order; valid until the next call.
  const std::vector<int>& draw_order(int n_lane);

  RaceOptions options_;
  RaceShadow shadow_;
  std::mt19937_64 random_;
  std::vector<int> order_;
};

template <class Kernel, class Then>
void RaceDetector::run_grid(const Kernel& kernel, int n_item, Then then) {
  const std::size_t bytes = std::max(shared_bytes(kernel), shared_bytes(then));
  std::vector<SharedBytes> shared;
  std::vector<RaceBlock> running;
  for (int b = 0; b < options_.n_block && b < n_item; ++b) {
    shared.emplace_back(new (std::align_val_t{kSharedAlignment}) std::byte[bytes]);
    running.push_back({.item = b, .shared = shared.back().get(), .shared_bytes = bytes});
  }
  while (!running.empty()) {
    RaceBlock& block = running[draw(static_cast<int>(running.size()))];
    if (!advance(kernel, n_item, &then, &block)) {
      block = running.back();
      running.pop_back();
    }
  }
}

template <class Kernel, class Then>
bool RaceDetector::advance(const Kernel& kernel, int n_item, Then* then, RaceBlock* block) {
  if constexpr (!std::is_same_v<Then, NoDecision>) {
    if (block->decides) {
      if (advance(then->decision, block)) return true;
      block->decides = false;
      block->item = block->last_item;
    } else {
      if (advance(kernel, block)) return true;
      const int group = then->group[block->item];
      if (++then->n_ended[group] == then->decision.group_size(group)) {
        block->last_item = block->item;
        block->item = group;
        block->decides = true;
        return true;
      }
    }
  } else if (advance(kernel, block)) {
    return true;
  }
  if (options_.n_block >= n_item - block->item) return false;
  block->item += options_.n_block;
  return true;
}

template <class Kernel>
bool RaceDetector::advance(const Kernel& kernel, RaceBlock* block) {
  static_assert(has_plain_shared<Kernel>(), "shared memory of the device has no constructors");
  using RunPhase = void (*)(const Kernel&, RaceBlock*, RaceDetector*);
  static constexpr auto kRunPhase = []<int... phase>(std::integer_sequence<int, phase...>) {
    return std::array<RunPhase, sizeof...(phase)>{&run_phase<Kernel, phase>...};
  }
  (std::make_integer_sequence<int, Kernel::kPhases>{});

  if (block->phase == RaceTouch::kEnabled) {
    std::memset(block->shared, kPoison, block->shared_bytes);
    shadow_.begin_item(block);
    shadow_.begin_phase(*block);
    block->phase = kernel.enabled(block->item, RaceMemory(&shadow_)) ? 0 : Kernel::kPhases;
  } else {
    shadow_.begin_phase(*block);
    kRunPhase[block->phase](kernel, block, this);
  }
  if (block->phase < Kernel::kPhases) return true;
  block->phase = RaceTouch::kEnabled;
  return false;
}

template <class Kernel, int phase>
void RaceDetector::run_phase(const Kernel& kernel, RaceBlock* block, RaceDetector* launcher) {
  constexpr PhaseShape kShape = Kernel::shape(phase);
  auto& shared = *reinterpret_cast<typename Kernel::Shared*>(block->shared);
  const RaceMemory memory(&launcher->shadow_);
  constexpr bool kRepeated = is_repeated<Kernel>(phase);
  int n_lane = kShape.lanes;
  if constexpr (kRepeated)
    n_lane = kernel.template n_lane<phase>(block->item, block->round, memory);
  for (const int lane : launcher->draw_order(n_lane)) {
    launcher->shadow_.begin_lane(lane);
    if constexpr (kRepeated)
      kernel.template run_round<phase, OneLane>(block->item, block->round, lane, shared, memory);
    else
      kernel.template run<phase, OneLane>(block->item, lane, shared, memory);
  }
  if (kRepeated && n_lane > 0) {
    ++block->round;
  } else {
    block->round = 0;
    ++block->phase;
  }
}

}  // namespace nodia
