/// Compiled for the oldest CPU of the architecture, so it runs on every CPU.
#include "tools/command/cpu_check.hpp"

#include <unistd.h>

namespace nodia::cli {
namespace {

#if defined(NODIA_ARCH_CHECKED)
constexpr char kLine[] =
    "nodia: error: this CPU lacks instructions of " NODIA_ARCH_CHECKED
    ", for which this program is compiled (from a clone, build it on this machine: "
    "tools/build.sh nodia)\n";
#endif

}  // namespace

__attribute__((no_sanitize("address", "undefined"))) void require_cpu() {
#if defined(NODIA_ARCH_CHECKED)
  __builtin_cpu_init();
  if (__builtin_cpu_supports(NODIA_ARCH_CHECKED)) return;
  const auto ignored = write(STDERR_FILENO, kLine, sizeof(kLine) - 1);
  static_cast<void>(ignored);
  _exit(1);
#endif
}

}  // namespace nodia::cli
