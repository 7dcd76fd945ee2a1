/// `nodia dataset`: what a dataset holds, and whether it is what it was made as.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "scenarios/dataset/dataset.hpp"
#include "scenarios/dataset/dataset_folder.hpp"
#include "tools/cli/dataset_report.hpp"
#include "tools/cli/verbs.hpp"
#include "tools/command/interrupt.hpp"

namespace nodia::cli {
namespace {

struct DatasetArguments {
  std::string folder;
  bool json = false;
};

int tell_dataset(const DatasetArguments& options) {
  catch_interrupts();
  const DatasetRequest request = read_dataset(options.folder);
  working_on("comparing sums");
  const std::vector<std::string> damage = dataset_damage(options.folder, request);
  working_on("");
  for (const std::string& line : damage) spdlog::error("{}", line);
  if (!damage.empty()) return kFailed;
  const DatasetCounts counts = count_episodes(options.folder, request);
  const std::optional<std::string> sum = content_sha256(options.folder, request);
  const std::optional<double> rate = episodes_per_hour(options.folder);
  if (options.json) {
    nlohmann::ordered_json json = {
        {"format", "nodia_dataset"}, {"format_version", 1}, {"directory", options.folder}};
    json.update(to_json(counts, request));
    json["episodes_per_hour"] = nullptr;
    if (rate) json["episodes_per_hour"] = *rate;
    json["content_sha256"] = nullptr;
    if (sum) json["content_sha256"] = *sum;
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
    return kGood;
  }
  fmt::print("{}: {}\n", options.folder, in_words(counts, request));
  print_reasons(counts);
  if (!counts.complete())
    fmt::print("{} blocks are missing: {}\n", counts.missing.size(),
               fmt::join(counts.missing, ", "));
  if (rate) fmt::print("made at {:.0f} episodes an hour\n", *rate);
  if (sum) fmt::print("content_sha256 {}\n", *sum);
  return kGood;
}

}  // namespace

Action declare_dataset(CLI::App& app) {
  const auto options = std::make_shared<DatasetArguments>();
  app.add_option("directory", options->folder, "directory of a dataset")
      ->required()
      ->type_name("DIR");
  app.add_flag("--json", options->json, "print one JSON object on stdout");
  return [options] { return tell_dataset(*options); };
}

}  // namespace nodia::cli
