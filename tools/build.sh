#!/usr/bin/env bash
# Sets everything up and builds the release preset: build/release/bin/nodia.
# Usage: tools/build.sh [TARGET ...]    without a target everything, tests included
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tools/setup.sh
configure=(cmake --preset release -DNODIA_PYTHON=ON)
if ! grep -qw avx2 /proc/cpuinfo; then
  configure+=(-DNODIA_ARCH=)
fi
"${configure[@]}"
cmake --build --preset release -j "$(nproc)" --target "${@:-all}"
