#include "python/bindings/interruptible.hpp"

#include <nanobind/nanobind.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <future>
#include <thread>
#include <vector>

namespace nodia::python {
namespace {

namespace nb = nanobind;

constexpr std::chrono::milliseconds kSignalPeriod{20};

/// Work and its thread. The work is freed with the job, by a thread that has the GIL.
struct Job {
  explicit Job(std::function<void()> work)
      : task(std::move(work)), end(task.get_future()), thread([this] { task(); }) {}

  bool has_ended(std::chrono::milliseconds wait = {}) const {
    return end.wait_for(wait) == std::future_status::ready;
  }

  std::packaged_task<void()> task;
  std::future<void> end;
  std::thread thread;
};

/// Jobs that were interrupted and may still run; guarded by the GIL.
std::vector<std::unique_ptr<Job>>& interrupted_jobs() {
  static auto* const jobs = new std::vector<std::unique_ptr<Job>>;  // running jobs outlive main()
  return *jobs;
}

/// Python objects that a running job uses live longer than the interpreter, so they are no leaks.
void allow_for_running_jobs() {
  nb::set_leak_warnings(interrupted_jobs().empty());
}

void drop_ended_jobs() {
  std::erase_if(interrupted_jobs(), [](const std::unique_ptr<Job>& job) {
    if (!job->has_ended()) return false;
    job->thread.join();
    return true;
  });
  allow_for_running_jobs();
}

/// If jobs still run, ends the process before it destroys the static objects that they use.
void exit_beside_jobs(int status, void*) {
  const auto& jobs = interrupted_jobs();
  if (std::all_of(jobs.begin(), jobs.end(), [](const auto& job) { return job->has_ended(); }))
    return;
  std::fflush(nullptr);
  _exit(status);
}

void leave_running(std::unique_ptr<Job> job) {
  [[maybe_unused]] static const int registered = on_exit(exit_beside_jobs, nullptr);
  interrupted_jobs().push_back(std::move(job));
  allow_for_running_jobs();
}

}  // namespace

void run_interruptible(std::function<void()> work) {
  drop_ended_jobs();
  auto job = std::make_unique<Job>(std::move(work));
  const auto wait = [&] {
    const nb::gil_scoped_release others_run;
    return job->has_ended(kSignalPeriod);
  };
  while (!wait())
    if (PyErr_CheckSignals() != 0) {
      leave_running(std::move(job));
      throw nb::python_error();
    }
  job->thread.join();
  job->end.get();
}

}  // namespace nodia::python
