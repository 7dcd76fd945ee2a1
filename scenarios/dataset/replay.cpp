#include "scenarios/dataset/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "kernels/core/error.hpp"
#include "scenarios/dataset/block.hpp"

namespace nodia {
namespace {

/// Returns the recorded actions, and fails in the control step in which the recorded actor failed.
class RecordedActions : public Actor {
 public:
  explicit RecordedActions(const ArrayGroup& episode) : episode_(episode) {}

  std::vector<double> action(const TaskEnvironments& environments, int) override {
    if (text("cause") == kBadPolicy && std::get<std::int64_t>(episode_.attributes.at(
                                           "failed_step")) == static_cast<std::int64_t>(row_))
      throw ActorFailure(text("cause_text"));
    const auto found = episode_.arrays.find("action");
    if (found == episode_.arrays.end())
      throw RuntimeError("the episode has a valid start now, but the recorded one has none");
    const NamedArray& actions = found->second;
    const auto& values = std::get<std::vector<float>>(actions.values);
    const std::size_t size = environments.action_space().size();
    if (actions.shape.back() != size || (row_ + 1) * size > values.size())
      throw RuntimeError(fmt::format("the episode continues after its {} recorded control steps",
                                     actions.shape.front()));
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(row_++ * size);
    return {first, first + static_cast<std::ptrdiff_t>(size)};
  }

 private:
  const std::string& text(const char* attribute) const {
    return std::get<std::string>(episode_.attributes.at(attribute));
  }

  const ArrayGroup& episode_;
  std::size_t row_ = 0;
};

}  // namespace

ActorMaker recorded_actor(const ArrayGroup& episode) {
  return [&episode](const Scenario&) { return std::make_unique<RecordedActions>(episode); };
}

void drop_new_contact_quantities(const ArrayGroup& recorded, ArrayGroup* made) {
  constexpr std::string_view kContacts = "contacts/";
  const auto is_contact = [&](const auto& entry) { return entry.first.starts_with(kContacts); };
  if (std::none_of(recorded.arrays.begin(), recorded.arrays.end(), is_contact)) return;
  std::erase_if(made->arrays, [&](const auto& entry) {
    return is_contact(entry) && !recorded.arrays.contains(entry.first);
  });
}

Replayed replay(const std::string& folder, const DatasetRequest& request, std::int64_t episode,
                const EpisodeWatch& watch) {
  const int number = static_cast<int>(episode / request.block);
  if (!has_block(folder, number))
    throw InputError(fmt::format("{}: episode {} is not made yet (its block {} is missing)", folder,
                                 episode, number));
  if (const std::string damage = block_damage(folder, request, number); !damage.empty())
    throw InputError(damage);
  const ArrayGroup recorded =
      read_array_group(block_path(folder, number, ".h5"), episode_name(episode));
  EpisodeMaker maker(request, folder);
  std::optional<ArrayGroup> made = maker.make(episode, recorded_actor(recorded), watch);
  Replayed replayed;
  replayed.stopped = !made;
  if (!made) return replayed;
  drop_new_contact_quantities(recorded, &*made);
  replayed.steps = std::get<std::int64_t>(made->attributes.at("steps"));
  replayed.status = std::get<std::string>(recorded.attributes.at("status"));
  replayed.difference = watch.most_steps ? first_difference_of_beginning(recorded, *made)
                                         : first_difference(recorded, *made);
  return replayed;
}

}  // namespace nodia
