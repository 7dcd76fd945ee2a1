#include "host/simulation/overlap_watch.hpp"

#include <algorithm>
#include <cmath>

#include "host/scene/rules.hpp"

namespace nodia {
namespace {

constexpr double kShareAtStart = 1e-3, kShareLater = 0.05;
constexpr double kDeeper = 2;  // relative to the last reported depth

}  // namespace

OverlapWatch::OverlapWatch(const Scene& scene) : objects_(scene) {
  for (const RobotSceneDescription& robot : scene.robots)
    link_names_.push_back(link_names(robot.robot));
}

std::pair<std::string, std::string> OverlapWatch::names(const ObjectOverlap& overlap) const {
  const auto name = [&](std::int32_t number, std::int32_t link) {
    const ObjectId& id = objects_[number].id;
    if (overlap.i != overlap.j || id.kind != ObjectKind::robot) return objects_.name(number);
    return objects_.name(number) + "." +
           link_names_[static_cast<std::size_t>(id.index)][static_cast<std::size_t>(link)];
  };
  return {name(overlap.i, overlap.link_i), name(overlap.j, overlap.link_j)};
}

OverlapWatch::Told* OverlapWatch::find(std::int32_t i, std::int32_t j) {
  const auto found = std::find_if(memory_.told.begin(), memory_.told.end(),
                                  [&](const Told& told) { return told.i == i && told.j == j; });
  return found == memory_.told.end() ? nullptr : &*found;
}

OverlapNotice OverlapWatch::notice(const ObjectOverlap& overlap, bool at_start) const {
  auto [i, j] = names(overlap);
  return {std::move(i), std::move(j), overlap.depth_m, overlap.share, at_start};
}

void OverlapWatch::start(const std::vector<ObjectOverlap>& overlaps) {
  memory_.told.clear();
  memory_.at_start.clear();
  for (ObjectOverlap o : overlaps) {
    if (!(o.share > kShareAtStart)) continue;
    if (o.j < o.i) std::swap(o.i, o.j);
    if (Told* told = find(o.i, o.j)) {
      if (o.depth_m <= told->depth_m) continue;
      memory_.at_start[static_cast<std::size_t>(told - memory_.told.data())] = notice(o, true);
      told->depth_m = o.depth_m;
      continue;
    }
    memory_.told.push_back({o.i, o.j, o.depth_m});
    memory_.at_start.push_back(notice(o, true));
  }
}

void OverlapWatch::end_step(const std::vector<ObjectOverlap>& overlaps,
                            std::vector<OverlapNotice>* notices) {
  notices->swap(memory_.at_start);
  memory_.at_start.clear();
  const std::size_t first = notices->size();
  std::vector<Told> now;
  for (ObjectOverlap o : overlaps) {
    if (!(o.share > kShareLater)) continue;
    if (o.j < o.i) std::swap(o.i, o.j);
    const Told* told = find(o.i, o.j);
    if (told && !(o.depth_m > kDeeper * told->depth_m)) continue;
    const auto same = std::find_if(now.begin(), now.end(), [&](const Told& other) {
      return other.i == o.i && other.j == o.j;
    });
    if (same == now.end()) {
      now.push_back({o.i, o.j, o.depth_m});
      notices->push_back(notice(o, false));
    } else if (o.depth_m > same->depth_m) {
      same->depth_m = o.depth_m;
      (*notices)[first + static_cast<std::size_t>(same - now.begin())] = notice(o, false);
    }
  }
  for (const Told& t : now) {
    if (Told* told = find(t.i, t.j))
      told->depth_m = HUGE_VAL;
    else
      memory_.told.push_back({t.i, t.j, HUGE_VAL});
  }
}

}  // namespace nodia
