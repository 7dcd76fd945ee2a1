/// `nodia dataset`: reports the content of a dataset and verifies its checksums.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "scenarios/dataset/dataset.hpp"
#include "scenarios/dataset/dataset_folder.hpp"
#include "tools/cli/dataset_report.hpp"
#include "tools/cli/verbs.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/print_json.hpp"

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
  nlohmann::ordered_json json = {{"format", "nodia_dataset"},
                                 {"format_version", 1},
                                 {"directory", options.folder},
                                 {"damage", damage}};
  if (!damage.empty()) {
    if (options.json) print_json(json);
    return kFailed;
  }
  const DatasetCounts counts = count_episodes(options.folder, request);
  const std::optional<std::string> sum = content_sha256(options.folder, request);
  const std::optional<double> rate = episodes_per_hour(options.folder);
  if (!counts.complete())
    spdlog::error("{}: {} of {} blocks are missing: {} (generate again makes them)", options.folder,
                  counts.missing.size(), request.n_block(), fmt::join(counts.missing, ", "));
  if (const std::string note = note_of_unnamed(counts); !note.empty())
    spdlog::warn("{}: {}", options.folder, note);
  const int code = counts.complete() ? kGood : kFailed;
  if (options.json) {
    json.update(to_json(counts, request));
    json["episodes_per_hour"] = nullptr;
    if (rate) json["episodes_per_hour"] = *rate;
    json["content_sha256"] = nullptr;
    if (sum) json["content_sha256"] = *sum;
    print_json(json);
    return code;
  }
  fmt::print("{}: {}\n", options.folder, counted_in_words(counts, request));
  print_reasons(counts);
  if (rate) fmt::print("made at {:.0f} episodes an hour\n", *rate);
  if (sum) fmt::print("content_sha256 {}\n", *sum);
  return code;
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
