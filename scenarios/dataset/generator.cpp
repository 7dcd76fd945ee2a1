#include "scenarios/dataset/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "host/io/claim.hpp"

namespace nodia {
namespace {

double time_of_day_s() {
  using namespace std::chrono;
  return duration<double>(system_clock::now().time_since_epoch()).count();
}

/// Worker threads of one call of generate().
class Workers {
 public:
  Workers(const std::string& folder, const DatasetRequest& request, const ActorMaker& actors,
          const GenerateOptions& options, const std::atomic<bool>& stop)
      : folder_(folder),
        request_(request),
        actors_(actors),
        options_(options),
        stop_(stop),
        request_sha256_(sha256_of(request)),
        maker_(request, folder, options.backend) {
    for (int number = options.shard.index; number < request.n_block();
         number += options.shard.count)
      if (!has_block(folder, number)) left_.push_back(number);
    std::reverse(left_.begin(), left_.end());
  }

  Generated run() {
    std::vector<std::thread> threads;
    const int n_thread = std::min(options_.threads, static_cast<int>(left_.size()));
    for (int k = 1; k < n_thread; ++k) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    if (thrown_) std::rethrow_exception(thrown_);
    done_.stopped = stop_;
    std::sort(done_.busy.begin(), done_.busy.end());
    return done_;
  }

 private:
  void work() noexcept {
    try {
      for (int number = next(); number >= 0; number = next()) make_block(number);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
    }
  }

  /// Next block that no thread of this call has begun; -1: none.
  int next() {
    const std::lock_guard lock(mutex_);
    if (left_.empty() || ended()) return -1;
    const int number = left_.back();
    left_.pop_back();
    return number;
  }

  int batch() const {
    if (options_.batch > 0) return options_.batch;
    return options_.backend.backend == "cuda" ? request_.block : 1;
  }

  bool ended() const { return stop_ || thrown_; }
  bool ends() {
    const std::lock_guard lock(mutex_);
    return ended();
  }

  void make_block(int number) {
    const std::optional<Claim> claim = Claim::take(fmt::format("{}/claims/{:06}", folder_, number));
    if (!claim) {
      const std::lock_guard lock(mutex_);
      done_.busy.push_back(number);
      return;
    }
    if (has_block(folder_, number)) return;  // another process has finished it
    const double began_s = time_of_day_s();
    std::map<std::string, ArrayGroup> episodes;
    EpisodeWatch watch;
    watch.stop = [this] { return ends(); };
    for (int e = request_.first(number); e < request_.end(number);) {
      const int end = std::min(e + batch(), request_.end(number));
      std::optional<std::vector<ArrayGroup>> made = maker_.make(e, end, actors_, watch);
      if (!made) return;
      for (ArrayGroup& episode : *made) episodes[episode_name(e++)] = std::move(episode);
      const std::lock_guard lock(mutex_);
      n_made_ += static_cast<int>(made->size());
      tell();
    }
    const std::lock_guard lock(mutex_);  // HDF5 is not thread-safe
    if (claim->locked())
      for (const char* extension : {".h5", ".json"})
        remove_left_temporaries(block_path(folder_, number, extension));
    const ArrayFile file = block_file(maker_.task(), request_sha256_, number, std::move(episodes));
    publish_block(folder_, number, file, maker_.task().record.compression);
    ++done_.n_block;
    done_.n_episode += request_.end(number) - request_.first(number);
    log(number, file, began_s);
    tell();
  }

  void tell() {
    if (options_.progress) options_.progress(n_made_);
  }

  /// Appends a line to this process's log. Failures are ignored: the log is optional.
  void log(int number, const ArrayFile& block, double began_s) {
    std::int64_t n_step = 0;
    for (const auto& [name, episode] : block.groups)
      n_step += std::get<std::int64_t>(episode.attributes.at("steps"));
    const nlohmann::ordered_json line = {{"block", number},
                                         {"episodes", block.groups.size()},
                                         {"steps", n_step},
                                         {"began_s", began_s},
                                         {"ended_s", time_of_day_s()}};
    std::ofstream(fmt::format("{}/log/{}.jsonl", folder_, process_name()), std::ios::app)
        << line.dump() + "\n";
  }

  const std::string folder_;
  const DatasetRequest& request_;
  const ActorMaker& actors_;
  const GenerateOptions& options_;
  const std::atomic<bool>& stop_;
  const std::string request_sha256_;
  EpisodeMaker maker_;
  std::mutex mutex_;  ///< protects all members below
  std::vector<int> left_;
  std::exception_ptr thrown_;
  int n_made_ = 0;
  Generated done_;
};

}  // namespace

Generated generate(const std::string& folder, const DatasetRequest& request,
                   const ActorMaker& actors, const GenerateOptions& options,
                   const std::atomic<bool>& stop) {
  return Workers(folder, request, actors, options, stop).run();
}

}  // namespace nodia
