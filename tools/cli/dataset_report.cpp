#include "tools/cli/dataset_report.hpp"

#include <fmt/format.h>

namespace nodia::cli {

nlohmann::ordered_json to_json(const DatasetCounts& counts, const DatasetRequest& request) {
  return {{"requested_episodes", request.episodes},
          {"episodes", counts.n_episode},
          {"steps", counts.n_step},
          {"successes", counts.n_success},
          {"quarantined", counts.n_quarantined},
          {"causes", counts.causes},
          {"redrawn", counts.n_redrawn},
          {"unconverged_steps", counts.n_unconverged},
          {"complete", counts.complete()},
          {"missing_blocks", counts.missing},
          {"builds", counts.builds}};
}

std::string in_words(const DatasetCounts& counts, const DatasetRequest& request) {
  std::string text = counts.complete()
                         ? fmt::format("{} episodes", counts.n_episode)
                         : fmt::format("{} of {} episodes", counts.n_episode, request.episodes);
  text += fmt::format(", {} control steps, {} with success", counts.n_step, counts.n_success);
  std::string causes;
  for (const auto& [cause, n] : counts.causes)
    causes += fmt::format("{}{} {}", causes.empty() ? ": " : ", ", cause, n);
  return text + fmt::format("; {} quarantined{}", counts.n_quarantined, causes);
}

}  // namespace nodia::cli
