#include "tools/cli/interrupt.hpp"

#include <csignal>

namespace nodia::cli {
namespace {

volatile std::sig_atomic_t requested = 0;

void mark(int) {
  requested = 1;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = mark;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
  return requested != 0;
}

}  // namespace nodia::cli
