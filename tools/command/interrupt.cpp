#include "tools/command/interrupt.hpp"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <mutex>

#include "tools/command/progress.hpp"
#include "tools/command/verb.hpp"

namespace nodia::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
constexpr auto kGrace = std::chrono::milliseconds(500);
constexpr auto kBeat = std::chrono::milliseconds(100);
constexpr std::size_t kWatchStackBytes = std::size_t{1} << 20;

std::atomic<int> requested = 0;  // lock-free: a signal handler must not lock
std::atomic<bool> acknowledged = false;
sem_t arrived;

/// State of the watching thread. Signals belong to the process, so the process has one Watch.
struct Watch {
  std::mutex mutex;
  std::function<int()> end;
  std::string what;
  Clock::time_point since;  ///< time at which `what` was set
  bool drawn = false;
};

Watch& watch() {
  static Watch* const one = new Watch;  // never destroyed, because the thread outlives main()
  return *one;
}

extern "C" void mark(int) {
  if (requested != 0) _exit(kInterrupted);
  requested = 1;
  const int error = errno;
  sem_post(&arrived);
  errno = error;
}

void draw() {
  Watch& w = watch();
  const std::lock_guard lock(w.mutex);
  const Clock::duration elapsed = Clock::now() - w.since;
  if (w.what.empty() || elapsed < std::chrono::seconds(1)) return;
  const double seconds = std::chrono::duration<double>(elapsed).count();
  std::fputs(("\r\x1b[K" + w.what + ", " + duration(seconds)).c_str(), stderr);
  std::fflush(stderr);
  w.drawn = true;
}

void wait_for_signal(bool terminal) {
  while (requested == 0) {
    if (!terminal) {
      sem_wait(&arrived);
      continue;
    }
    timespec until{};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += std::chrono::nanoseconds(kBeat).count();
    if (until.tv_nsec >= 1'000'000'000) until.tv_nsec -= 1'000'000'000, ++until.tv_sec;
    if (sem_timedwait(&arrived, &until) != 0 && requested == 0) draw();
  }
}

void* run_watch(void*) {
  wait_for_signal(isatty(STDERR_FILENO) == 1);
  const Clock::time_point end = Clock::now() + kGrace;
  while (!acknowledged && Clock::now() < end) usleep(10'000);
  if (acknowledged) return nullptr;
  working_on("");
  std::function<int()> action;
  {
    const std::lock_guard lock(watch().mutex);
    action = watch().end;
  }
  int code = kInterrupted;
  if (action) try {
      code = action();
    } catch (const std::exception& error) {
      spdlog::error("{}", error.what());
      code = kFailed;
    }
  std::fflush(stdout);
  _exit(code);
}

/// Starts the watching thread. If the system has no thread left, an interrupt takes effect at the
/// next call of interrupted().
void start_watch() {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return;
  pthread_attr_setstacksize(&attributes, kWatchStackBytes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  static_cast<void>(pthread_create(&thread, &attributes, run_watch, nullptr));
  pthread_attr_destroy(&attributes);
}

}  // namespace

void catch_interrupts() {
  sem_init(&arrived, 0, 0);
  watch().since = Clock::now();
  start_watch();
  struct sigaction action {};
  action.sa_handler = mark;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (signal == SIGHUP && before.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
}

bool interrupted() {
  if (requested == 0) return false;
  acknowledged = true;
  return true;
}

void end_by(std::function<int()> end) {
  const std::lock_guard lock(watch().mutex);
  watch().end = std::move(end);
}

void working_on(const std::string& what) {
  Watch& w = watch();
  const std::lock_guard lock(w.mutex);
  w.what = what;
  w.since = Clock::now();
  if (!w.drawn) return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  w.drawn = false;
}

}  // namespace nodia::cli
