/// Shadow memory of the race detector: readers and writers of every byte in the current phase and
/// launch.
///
/// Phases run one after another, so lanes of different blocks never mix in a phase. Per byte it
/// suffices to store the last writer and the first two different readers: an access that conflicts
/// with any earlier access conflicts with one of these, or was reported before. The decision of a
/// group of items (kernels/launch/decision.hpp) cannot conflict with its own group; therefore the
/// shadow also stores the first reader of a second group.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/devices/race_detector/conflict.hpp"

namespace nodia {

/// State of a block while it processes an item.
struct RaceBlock {
  int item = 0;
  int phase = RaceTouch::kEnabled;
  int round = 0;  ///< of a phase that the item repeats
  std::byte* shared = nullptr;
  std::size_t shared_bytes = 0;
  std::uint32_t item_begin = 0;  ///< clock of the shadow at the start of the item
  bool decides = false;          ///< `item` is a group, and the block decides for it
  int last_item = 0;             ///< item that the block completed before the decision
};

class RaceShadow {
 public:
  static constexpr std::size_t kMaxConflicts = 100;
  static constexpr int kMaxLanes = 1023;  ///< largest number of lanes of a block

  bool strict_regions = false;    ///< global memory outside every registered array is out of bounds
  bool throw_on_conflict = true;  ///< RuntimeError at once; otherwise conflicts are collected
  /// If the clock exceeds this value, the next launch resets the clock and deletes all histories. A
  /// launch never needs the histories of earlier launches.
  std::uint32_t last_clock = std::uint32_t{1} << 31;

  /// Registers an array of `bytes` bytes; an array registered before that overlaps it is forgotten.
  void name_region(const void* pointer, std::size_t bytes, std::size_t element_bytes,
                   const char* name);
  /// First conflicts, at most kMaxConflicts.
  const std::vector<RaceConflict>& conflicts() const { return conflicts_; }

  /// @param group  of every item; empty: no decisions
  void begin_launch(const char* kernel, std::vector<int> group = {});
  /// Marks all bytes of the block's Shared memory as not written.
  void begin_item(RaceBlock* block);
  /// Begins phase block.phase with lane 0, unless begin_lane selects another lane.
  void begin_phase(const RaceBlock& block);
  void begin_lane(int lane) { now_.lane = static_cast<std::int16_t>(lane); }
  /// Begins the reads of the launch itself, on behalf of every block.
  void begin_launch_reads();

  /// Records an access by the current lane.
  /// @param alignment  [B], a power of two
  /// @return           whether the memory may be accessed
  bool access(const void* pointer, std::size_t bytes, std::size_t alignment, RaceAccess kind);

 private:
  /// The lanes that accessed a cell in the current phase, packed into one word. Cells are small,
  /// because cache misses on cells take most of the shadow's time.
  class PhaseLanes {
   public:
    static constexpr int kNobody = (1 << 10) - 1;
    enum Role { kWriter, kReader, kOtherReader };

    int lane(Role role) const { return packed_ >> (10 * role) & kNobody; }
    void set(Role role, int lane) {
      packed_ = (packed_ & ~(kNobody << (10 * role))) | lane << (10 * role);
    }

   private:
    std::int32_t packed_ = (1 << 30) - 1;
  };
  struct LaunchHistory {
    RaceTouch writer, reader[2];
  };
  /// Access history of adjacent bytes. Every access so far covered all of them.
  struct alignas(32) Cell {
    static constexpr std::uint32_t kSplit = ~std::uint32_t{0};

    std::uint32_t clock = 0;  ///< time of the last access; kSplit: each byte has its own cell
    union {
      PhaseLanes phase = {};
      std::int32_t split;  ///< index in split_
    };
    LaunchHistory launch;
  };
  static_assert(sizeof(Cell) == 32);
  template <std::size_t n>
  struct Cells {
    std::array<Cell, n> cell;
    /// First reader of this launch from a group other than that of launch.reader[0]. Used only if
    /// the launch has decisions.
    std::array<RaceTouch, n> other_group;
  };
  static constexpr std::size_t kPageBytes = 1024, kSmallestCell = 4;
  static constexpr int kLargestShift = 5, kSmallestShift = 2;
  /// The cells of kPageBytes bytes. A cell covers 2^shift bytes. If an access covers a part of a
  /// cell, the page halves its cells; a cell of kSmallestCell bytes is split into bytes instead.
  struct Page : Cells<kPageBytes / kSmallestCell> {
    int shift = kLargestShift;

    std::size_t cell_of(std::uintptr_t address) const { return address % kPageBytes >> shift; }
    std::uintptr_t next_cell(std::uintptr_t address) const {
      return ((address >> shift) + 1) << shift;
    }
    bool begins_cell(std::uintptr_t address) const { return address >> shift << shift == address; }
    void halve_cells();
  };
  struct CachedPage {
    std::uintptr_t number = ~std::uintptr_t{0};
    Page* page = nullptr;
  };
  struct Region {
    std::uintptr_t begin, end;
    std::size_t element_bytes;
    std::string name;
  };

  bool in_shared(std::uintptr_t address) const {
    return address - shared_begin_ < shared_end_ - shared_begin_;
  }
  const Region* region_of(std::uintptr_t address);
  bool in_bounds(std::uintptr_t begin, std::size_t bytes);
  Page& page_at(std::uintptr_t address);
  Page* find_page(std::uintptr_t number);
  void split(Page* page, std::size_t k);
  /// Group of the originator; -1: none.
  int group_of(const RaceTouch& touch) const;
  /// Returns whether an earlier access had completed before the current one, for a reason other
  /// than belonging to the same item.
  bool had_ended(const RaceTouch& earlier) const {
    return now_.is_decision() && group_of(earlier) == group_of(now_);
  }
  /// Returns whether the access does not change the history of this phase: the lane accessed the
  /// cell before, or the cell has two readers. A conflict of such an access was reported before.
  bool is_known(const Cell& cell, RaceAccess kind) const;
  /// Records the access in cell k; a conflict is reported if *may_report, which it clears.
  /// @param scope_begin  start of the memory's history on the clock: that of the item for Shared,
  ///                     of the launch for global memory
  template <std::size_t n>
  void touch(Cells<n>* cells, std::size_t k, std::uintptr_t address, RaceAccess kind, bool shared,
             std::uint32_t scope_begin, bool* may_report);
  void report(RaceFault fault, std::uintptr_t address, RaceAccess kind, RaceTouch first = {},
              RaceAccess first_access = RaceAccess::read);
  std::string place_of(std::uintptr_t address);

  std::uint32_t clock_ = 0, launch_begin_ = 0, item_begin_ = 0;
  RaceTouch now_;
  std::uintptr_t shared_begin_ = 0, shared_end_ = 0;
  std::string kernel_;
  std::vector<int> group_;  ///< groups of the launch's items

  std::unordered_map<std::uintptr_t, std::unique_ptr<Page>> page_;
  std::array<CachedPage, 512> page_cache_;
  std::vector<std::unique_ptr<Cells<kSmallestCell>>> split_;

  std::vector<Region> region_;  ///< ascending, disjoint
  std::size_t last_region_ = 0;
  std::vector<RaceConflict> conflicts_;
};

}  // namespace nodia
