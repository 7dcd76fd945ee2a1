#!/usr/bin/env bash
# Installs what is needed and builds nodia in build/release. The compiler's output goes to build/release/build.log.
# Usage: tools/build.sh [--demo [--cuda]] [TARGET ...]
#   TARGET   nodia, nodia-studies, python, ...; without one everything, tests included
#   --demo   the smallest configuration that runs scenarios: without tests, reference solvers and CUDA. If build/release
#            already has more, it keeps that.
#   --cuda   compiles CUDA in the demo too, although no NVIDIA device was found
# Without --demo, CUDA is compiled if nvcc is found. NODIA_WERROR=ON in the environment makes warnings errors.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

demo='' cuda='' targets=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --demo) demo=yes ;;
    --cuda) cuda=yes ;;
    -h | --help) sed -n '2,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    -*) echo "build: unknown argument $1 (see tools/build.sh --help)" >&2; exit 2 ;;
    *) targets+=("$1") ;;
  esac
  shift
done
[[ ${#targets[@]} -gt 0 ]] || targets=(all)

options=(-DNODIA_WERROR="${NODIA_WERROR:-OFF}")
grep -qw avx2 /proc/cpuinfo || options+=(-DNODIA_ARCH=)
if [[ -z $demo ]]; then
  tools/setup.sh --tests
  options+=(-DNODIA_CUDA=AUTO -DNODIA_PYTHON=ON -DNODIA_REFERENCE_SOLVERS=ON -DNODIA_TESTS=ON)
else
  tools/setup.sh
  if ! grep -qs 'NODIA_TESTS:BOOL=ON' build/release/CMakeCache.txt; then
    options+=(-DNODIA_CUDA=OFF -DNODIA_PYTHON=OFF -DNODIA_REFERENCE_SOLVERS=OFF -DNODIA_TESTS=OFF)
  fi
  if [[ -n $cuda ]] || compgen -G '/dev/nvidia[0-9]*' >/dev/null; then
    options+=(-DNODIA_CUDA=AUTO)
  fi
fi

mkdir -p build/release
log=build/release/build.log
: >"$log"

# Copies the compiler's output to the log and shows one progress line: on a terminal it is redrawn, elsewhere a line per tenth.
show_progress() {
  awk -v log_file="$log" -v terminal="$([[ -t 1 ]] && echo 1 || echo 0)" '
    { print >>log_file; fflush(log_file) }
    match($0, /^\[[0-9]+\/[0-9]+\]/) {
      split(substr($0, 2, RLENGTH - 2), n, "/")
      tenth = int(10 * n[1] / n[2])
      if (terminal) printf "\rbuild: %d of %d files", n[1], n[2]
      else if (tenth != shown) { printf "build: %d of %d files\n", n[1], n[2]; shown = tenth }
      fflush()
      any = 1
    }
    END { if (terminal && any) printf "\n" }'
}

run() {
  NINJA_STATUS='[%f/%t] ' "$@" 2>&1 | show_progress ||
    { echo "build: failed; the whole output is in $log" >&2; grep -m 20 -A 5 -E 'error|FAILED' "$log" >&2 || tail -20 "$log" >&2; exit 1; }
}
run cmake --preset release "${options[@]}"
run cmake --build --preset release -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" --target "${targets[@]}"
