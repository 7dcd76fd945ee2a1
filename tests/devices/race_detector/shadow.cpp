/// Records accesses to the shadow memory and finds conflicts.
#include "tests/devices/race_detector/shadow.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/error.hpp"

namespace nodia {

namespace {

bool exists(const RaceTouch& touch) {
  return touch.item != RaceTouch::kNobody;
}
bool same_item(const RaceTouch& a, const RaceTouch& b) {
  return a.item == b.item;
}

struct Clash {
  RaceTouch with;
  RaceAccess access = RaceAccess::read;
};

/// Adds an access to a history and returns an earlier access that it conflicts with.
template <class History, class Same>
Clash add_access(History* history, RaceTouch now, RaceAccess kind, Same same) {
  Clash clash;
  RaceTouch& writer = history->writer;
  auto& reader = history->reader;
  if (exists(writer) && !same(writer, now)) clash = {writer, RaceAccess::write};
  if (kind == RaceAccess::write) {
    for (const RaceTouch& r : reader)
      if (!exists(clash.with) && exists(r) && !same(r, now)) clash.with = r;
    writer = now;
  } else if (!exists(reader[0])) {
    reader[0] = now;
  } else if (!exists(reader[1]) && !same(reader[0], now)) {
    reader[1] = now;
  }
  return clash;
}

/// Adds an access to the lanes of a phase and returns an earlier access that it conflicts with.
template <class Lanes>
Clash add_lane(Lanes* lanes, RaceTouch now, RaceAccess kind) {
  const auto clash_with = [&](typename Lanes::Role role, RaceAccess access) {
    const int lane = lanes->lane(role);
    Clash clash;
    if (lane != Lanes::kNobody && lane != now.lane)
      clash = {{now.item, now.phase, static_cast<std::int16_t>(lane)}, access};
    return clash;
  };
  Clash clash = clash_with(Lanes::kWriter, RaceAccess::write);
  if (kind == RaceAccess::write) {
    for (const auto role : {Lanes::kReader, Lanes::kOtherReader})
      if (!exists(clash.with)) clash = clash_with(role, RaceAccess::read);
    lanes->set(Lanes::kWriter, now.lane);
  } else if (lanes->lane(Lanes::kReader) == Lanes::kNobody) {
    lanes->set(Lanes::kReader, now.lane);
  } else if (lanes->lane(Lanes::kReader) != now.lane &&
             lanes->lane(Lanes::kOtherReader) == Lanes::kNobody) {
    lanes->set(Lanes::kOtherReader, now.lane);
  }
  return clash;
}

}  // namespace

void RaceShadow::name_region(const void* pointer, std::size_t bytes, std::size_t element_bytes,
                             const char* name) {
  if (bytes == 0) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  const std::uintptr_t end = begin + bytes;
  std::erase_if(region_, [&](const Region& r) { return r.begin < end && begin < r.end; });
  const auto after =
      std::find_if(region_.begin(), region_.end(), [&](const Region& r) { return r.begin >= end; });
  region_.insert(after, {begin, end, element_bytes, name});
  last_region_ = 0;
}

void RaceShadow::begin_launch(const char* kernel, std::vector<int> group) {
  kernel_ = kernel;
  group_ = std::move(group);
  if (clock_ > last_clock) {
    page_.clear();
    page_cache_.fill({});
    split_.clear();
    clock_ = 0;
  }
  launch_begin_ = ++clock_;
}

void RaceShadow::begin_item(RaceBlock* block) {
  block->item_begin = ++clock_;
}

void RaceShadow::begin_phase(const RaceBlock& block) {
  ++clock_;
  item_begin_ = block.item_begin;
  now_ = {block.decides ? RaceTouch::kDecision - block.item : block.item,
          static_cast<std::int16_t>(block.phase), 0};
  shared_begin_ = reinterpret_cast<std::uintptr_t>(block.shared);
  shared_end_ = shared_begin_ + block.shared_bytes;
}

void RaceShadow::begin_launch_reads() {
  RaceBlock every_block;
  every_block.item = RaceTouch::kLaunch;
  begin_phase(every_block);
}

inline bool RaceShadow::is_known(const Cell& cell, RaceAccess kind) const {
  if (cell.clock != clock_) return false;
  if (cell.phase.lane(PhaseLanes::kWriter) == now_.lane) return true;
  return kind == RaceAccess::read &&
         (cell.phase.lane(PhaseLanes::kReader) == now_.lane ||
          cell.phase.lane(PhaseLanes::kOtherReader) != PhaseLanes::kNobody);
}

bool RaceShadow::access(const void* pointer, std::size_t bytes, std::size_t alignment,
                        RaceAccess kind) {
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  if (!in_bounds(begin, bytes)) {
    report(RaceFault::out_of_bounds, begin, kind);
    return false;
  }
  if ((begin & (alignment - 1)) != 0) {
    report(RaceFault::misaligned, begin, kind);
    return false;
  }
  const std::uintptr_t end = begin + bytes;
  const bool shared = in_shared(begin);
  const std::uint32_t scope_begin = shared ? item_begin_ : launch_begin_;
  bool may_report = true;
  for (std::uintptr_t at = begin; at < end;) {
    Page& page = page_at(at);
    const std::uintptr_t page_end = std::min(end, (at / kPageBytes + 1) * kPageBytes);
    while (page.shift > kSmallestShift && !(page.begins_cell(at) && page.begins_cell(page_end)))
      page.halve_cells();
    while (at < page_end) {
      const std::size_t k = page.cell_of(at);
      const std::uintptr_t next = page.next_cell(at);
      if (page.cell[k].clock != Cell::kSplit) {
        if (page.begins_cell(at) && next <= page_end) {
          if (!is_known(page.cell[k], kind))
            touch(&page, k, at, kind, shared, scope_begin, &may_report);
          at = next;
          continue;
        }
        split(&page, k);
      }
      Cells<kSmallestCell>* bytes_of = split_[page.cell[k].split].get();
      for (; at < std::min(next, page_end); ++at)
        if (!is_known(bytes_of->cell[at % kSmallestCell], kind))
          touch(bytes_of, at % kSmallestCell, at, kind, shared, scope_begin, &may_report);
    }
  }
  return true;
}

void RaceShadow::Page::halve_cells() {
  for (std::size_t k = kPageBytes >> shift; k-- > 0;)
    for (const std::size_t half : {2 * k + 1, 2 * k}) {
      cell[half] = cell[k];
      other_group[half] = other_group[k];
    }
  --shift;
}

const RaceShadow::Region* RaceShadow::region_of(std::uintptr_t address) {
  const auto inside = [&](const Region& r) { return r.begin <= address && address < r.end; };
  if (last_region_ < region_.size() && inside(region_[last_region_])) return &region_[last_region_];
  const auto after =
      std::upper_bound(region_.begin(), region_.end(), address,
                       [](std::uintptr_t a, const Region& r) { return a < r.begin; });
  if (after == region_.begin() || !inside(*(after - 1))) return nullptr;
  last_region_ = static_cast<std::size_t>(after - 1 - region_.begin());
  return &region_[last_region_];
}

bool RaceShadow::in_bounds(std::uintptr_t begin, std::size_t bytes) {
  if (in_shared(begin)) return begin + bytes <= shared_end_;
  if (!strict_regions) return true;
  const Region* region = region_of(begin);
  return region != nullptr && begin + bytes <= region->end;
}

RaceShadow::Page& RaceShadow::page_at(std::uintptr_t address) {
  const std::uintptr_t number = address / kPageBytes;
  CachedPage& cached = page_cache_[number % page_cache_.size()];
  if (cached.number != number) cached = {number, find_page(number)};
  return *cached.page;
}

RaceShadow::Page* RaceShadow::find_page(std::uintptr_t number) {
  std::unique_ptr<Page>& page = page_[number];
  if (page == nullptr) page = std::make_unique<Page>();
  return page.get();
}

int RaceShadow::group_of(const RaceTouch& touch) const {
  if (touch.is_decision()) return RaceTouch::kDecision - touch.item;
  return touch.item < 0 ? -1 : group_[touch.item];
}

void RaceShadow::split(Page* page, std::size_t k) {
  split_.push_back(std::make_unique<Cells<kSmallestCell>>());
  split_.back()->cell.fill(page->cell[k]);
  split_.back()->other_group.fill(page->other_group[k]);
  page->cell[k].clock = Cell::kSplit;
  page->cell[k].split = static_cast<std::int32_t>(split_.size() - 1);
}

template <std::size_t n>
void RaceShadow::touch(Cells<n>* cells, std::size_t k, std::uintptr_t address, RaceAccess kind,
                       bool shared, std::uint32_t scope_begin, bool* may_report) {
  Cell& cell = cells->cell[k];
  const bool has_groups = !group_.empty();
  if (cell.clock != clock_) {
    if (cell.clock < scope_begin) {
      cell.launch = {};
      if (has_groups) cells->other_group[k] = {};
    }
    cell.phase = {};
    cell.clock = clock_;
  }
  const bool written = exists(cell.launch.writer);
  const Clash lanes = add_lane(&cell.phase, now_, kind);
  Clash items =
      add_access(&cell.launch, now_, kind, [this](const RaceTouch& earlier, const RaceTouch& now) {
        return same_item(earlier, now) || had_ended(earlier);
      });
  if (has_groups) {
    RaceTouch& other = cells->other_group[k];
    const bool reads = kind == RaceAccess::read;
    if (reads && !exists(other) && group_of(cell.launch.reader[0]) != group_of(now_)) other = now_;
    if (!reads && !exists(items.with) && exists(other) && !same_item(other, now_) &&
        !had_ended(other))
      items.with = other;
  }
  if (!*may_report) return;
  *may_report = false;
  if (exists(lanes.with)) {
    report(RaceFault::lane_race, address, kind, lanes.with, lanes.access);
  } else if (exists(items.with)) {
    report(RaceFault::item_race, address, kind, items.with, items.access);
  } else if (shared && kind == RaceAccess::read && !written) {
    report(RaceFault::uninitialised, address, kind);
  } else {
    *may_report = true;
  }
}

void RaceShadow::report(RaceFault fault, std::uintptr_t address, RaceAccess kind, RaceTouch first,
                        RaceAccess first_access) {
  const RaceConflict conflict{fault, kernel_, first,   first_access,
                              now_,  kind,    address, place_of(address)};
  if (conflicts_.size() < kMaxConflicts) conflicts_.push_back(conflict);
  if (throw_on_conflict) throw RuntimeError(conflict.describe());
}

std::string RaceShadow::place_of(std::uintptr_t address) {
  if (in_shared(address)) return fmt::format("Shared + {} B", address - shared_begin_);
  if (const Region* region = region_of(address))
    return fmt::format("{}[{}]", region->name, (address - region->begin) / region->element_bytes);
  return fmt::format("address {:#x}", address);
}

}  // namespace nodia
