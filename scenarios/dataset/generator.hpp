/// Makes the blocks of a dataset.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/dataset/block.hpp"
#include "scenarios/dataset/episode.hpp"

namespace nodia {

/// A share of the blocks: those whose number leaves `index` when divided by `count`.
struct Shard {
  int index = 0, count = 1;
};

struct GenerateOptions {
  int threads = 1;  ///< blocks that are made at a time, each in one thread
  Shard shard;
  /// Episodes that a thread steps side by side, those of its block at most; 0: on a device all of
  /// them, else one.
  int batch = 0;
  BackendRequest backend{"cpu", {}};
  /// After every episode and every block. @param n_episode  made by this call so far, those of
  /// blocks that are not whole included. Called by several threads, one at a time
  std::function<void(int n_episode)> progress = {};
};

/// What a call of generate() did.
struct Generated {
  int n_block = 0, n_episode = 0;  ///< that it made
  std::vector<int> busy;           ///< blocks of its share that others are at work on
  bool stopped = false;
};

/// Makes all blocks of its share that are not there and that nobody is at work on; each as a
/// function of the request and its number alone.
/// @param folder  of open_dataset()
/// @param stop    set from another thread: what is not whole is dropped
/// @throws InputError where the backend cannot be had, RuntimeError where the disk refuses, what an
/// actor throws; whole blocks stay
Generated generate(const std::string& folder, const DatasetRequest& request,
                   const ActorMaker& actors, const GenerateOptions& options,
                   const std::atomic<bool>& stop);

}  // namespace nodia
