#include "tools/cli/dataset_report.hpp"

#include <fmt/format.h>

namespace nodia::cli {

namespace {

nlohmann::ordered_json reason_json(const EpisodeReason& first) {
  return {{"episode", first.episode}, {"why", first.why}};
}

}  // namespace

nlohmann::ordered_json to_json(const DatasetCounts& counts, const DatasetRequest& request) {
  nlohmann::ordered_json firsts = nlohmann::ordered_json::object();
  for (const auto& [cause, first] : counts.first_of_cause) firsts[cause] = reason_json(first);
  return {{"requested_episodes", request.episodes},
          {"episodes", counts.n_episode},
          {"steps", counts.n_step},
          {"successes", counts.n_success},
          {"quarantined", counts.n_quarantined},
          {"causes", counts.causes},
          {"first_of_cause", firsts},
          {"redrawn", counts.n_redrawn},
          {"first_redrawn", counts.n_redrawn > 0 ? reason_json(counts.first_redrawn) : nullptr},
          {"unconverged_steps", counts.n_unconverged},
          {"complete", counts.complete()},
          {"missing_blocks", counts.missing},
          {"blocks_without_request", counts.n_unnamed},
          {"builds", counts.builds}};
}

std::string counted_in_words(const DatasetCounts& counts, const DatasetRequest& request) {
  std::string text = counts.complete()
                         ? fmt::format("{} episodes", counts.n_episode)
                         : fmt::format("{} of {} episodes", counts.n_episode, request.episodes);
  text += fmt::format(", {} control steps, {} with success", counts.n_step, counts.n_success);
  std::string causes;
  for (const auto& [cause, n] : counts.causes)
    causes += fmt::format("{}{} {}", causes.empty() ? ": " : ", ", cause, n);
  return text + fmt::format("; {} quarantined{}", counts.n_quarantined, causes);
}

std::string note_of_unnamed(const DatasetCounts& counts) {
  if (counts.n_unnamed == 0) return "";
  return fmt::format(
      "{} blocks have format version 1 and do not name their request: a block of another dataset "
      "would not be noticed",
      counts.n_unnamed);
}

void print_reasons(const DatasetCounts& counts) {
  for (const auto& [cause, first] : counts.first_of_cause)
    fmt::print("{}, first in episode {}: {}\n", cause, first.episode, first.why);
  if (counts.n_redrawn > 0)
    fmt::print(
        "{} of {} starts were rejected and resampled; first in "
        "episode {}: {}\n",
        counts.n_redrawn, counts.n_episode, counts.first_redrawn.episode, counts.first_redrawn.why);
}

}  // namespace nodia::cli
