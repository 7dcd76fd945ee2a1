/// `nodia verify`: checks that the files of a run are complete.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "host/io/verify_run.hpp"
#include "tools/cli/verbs.hpp"
#include "tools/command/print_json.hpp"

namespace nodia::cli {
namespace {

using Json = nlohmann::ordered_json;

struct VerifyOptions {
  std::string folder;
  bool json = false;
};

Json verdict_json(const std::string& folder, const RunVerdict& verdict) {
  Json broken = Json::array();
  for (const RunVerdict::Broken& b : verdict.broken)
    broken.push_back({{"file", b.file}, {"reason", b.reason}});
  return {{"format", "nodia_verify"},  {"format_version", 1},    {"directory", folder},
          {"broken", broken},          {"whole", verdict.whole}, {"steps", verdict.n_row},
          {"frames", verdict.n_frame}, {"note", verdict.note}};
}

int verify(const VerifyOptions& options) {
  const RunVerdict verdict = verify_run(options.folder);
  if (options.json) {
    print_json(verdict_json(options.folder, verdict));
  } else {
    for (const RunVerdict::Broken& b : verdict.broken)
      fmt::print("broken {}: {}\n", b.file, b.reason);
    if (!verdict.note.empty()) fmt::print("note: {}\n", verdict.note);
    fmt::print("{}: {}; whole: {} files, {} steps, {} frames\n", options.folder,
               verdict.broken.empty() ? "good" : "not good", verdict.whole.size(), verdict.n_row,
               verdict.n_frame);
  }
  return verdict.broken.empty() ? kGood : kFailed;
}

}  // namespace

Action declare_verify(CLI::App& app) {
  const auto options = std::make_shared<VerifyOptions>();
  app.add_option("directory", options->folder, "run directory")->required()->type_name("DIR");
  app.add_flag("--json", options->json, "print one JSON object on stdout");
  return [options] { return verify(*options); };
}

}  // namespace nodia::cli
