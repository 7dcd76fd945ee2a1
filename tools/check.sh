#!/usr/bin/env bash
# What a test does not see: formatting, headers that lean on other includes, clang-tidy's findings, memory errors and
# undefined behaviour, changed bits. Every part ends with one line, `check: PART ok` or `check: PART FAILED`.
#
# Usage: tools/check.sh [--quick | PART ...]    without a part all of them
#   --quick       format, headers, structure: minutes on two cores, no build needed
#   PART
#   format        every C++ and CUDA file is as clang-format leaves it
#   headers       every header compiles alone
#   structure     floors of the includes, names in the pages
#   tidy          clang-tidy (.clang-tidy) on every source file; --since COMMIT takes those that changed since then
#   cuda          the CUDA side compiles; left out where nvcc is missing
#   sanitizers    the quick tests with the address and undefined-behaviour sanitizers (preset asan-ubsan)
#   bits          tools/bits.sh --check
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

parts=() since=''
while [[ $# -gt 0 ]]; do
  case $1 in
    --quick) parts+=(format headers structure) ;;
    --since) since=${2:?--since: a commit is missing}; shift ;;
    format | headers | structure | tidy | cuda | sanitizers | bits) parts+=("$1") ;;
    -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) echo "check: unknown argument $1 (see tools/check.sh --help)" >&2; exit 2 ;;
  esac
  shift
done
[[ ${#parts[@]} -gt 0 ]] || parts=(format headers structure tidy cuda sanitizers bits)
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
tools/setup.sh >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A build folder of the preset, configured as tools/build.sh does.
configure() {
  local arguments=(--preset "$1")
  grep -qw avx2 /proc/cpuinfo || arguments+=(-DNODIA_ARCH=)
  cmake "${arguments[@]}" >"$work/configure" || { cat "$work/configure"; return 1; }
}

check_format() {
  git ls-files -z '*.cpp' '*.hpp' '*.cu' '*.cuh' |
    xargs -0 -n 40 -P "$jobs" clang-format --dry-run -Werror
}

# With the includes, definitions and language options of the build, without precompiled headers. Parsing alone: what
# templates do is for the files that use them.
header_alone() {
  local header bad=0
  for header in "$@"; do
    # shellcheck disable=SC2086  (words of a command line)
    g++ -std=c++20 -fsyntax-only -fopenmp -Wall -Wextra -Werror -Wno-unused-function -DNODIA_SOURCE_DIR='"."' \
      -DNODIA_X86_KERNELS=1 -I. $isystem -include "$header" -x c++ /dev/null ||
      { echo "$header does not compile alone"; bad=1; }
  done
  return "$bad"
}
export -f header_alone

check_headers() {
  # Folders of the dependencies that are not in the compiler's search path. Headers of CUDA need nvcc's.
  local nvcc headers without=/dev/null
  isystem=$(pkg-config --cflags-only-I eigen3 hdf5 | sed 's/-I */-isystem /g')
  if nvcc=$(command -v nvcc); then
    isystem+=" -isystem $(dirname "$(realpath "$nvcc")")/../include"
  else
    without=$work/without
    git grep -l '#include <cuda' -- '*.hpp' >"$without" || true
  fi
  export isystem
  mapfile -t headers < <(git ls-files '*.hpp' | grep -vxFf "$without")
  printf '%s\0' "${headers[@]}" | xargs -0 -n 8 -P "$jobs" bash -c 'header_alone "$@"' header_alone
}

check_structure() {
  .venv/bin/python -m pytest -q -p no:cacheprovider tests/tools/test_floors.py tests/tools/test_pages.py
}

check_tidy() {
  configure release
  cmake --build --preset release --target nodia_commit >/dev/null
  local files omp
  mapfile -t files < <(if [[ -n $since ]]; then git diff --name-only --diff-filter=d "$since"; else git ls-files; fi |
    grep -E '^(kernels|fem|host|scenarios|tools|tests)/.*\.cpp$' || true)
  # GCC's OpenMP header stands in a folder with others that clang must not see.
  omp=$(g++ -print-file-name=include/omp.h)
  mkdir "$work/omp" && ln -s "$omp" "$work/omp/"
  # Only files that the build has: others are compiled on machines of other kinds.
  python3 -c '
import json, sys
known = {entry["file"] for entry in json.load(open("build/release/compile_commands.json"))}
root = sys.argv[1]
print("\n".join(name for name in sys.argv[2:] if f"{root}/{name}" in known))
' "$PWD" "${files[@]}" | xargs -r -n 1 -P "$jobs" clang-tidy -p build/release --quiet --warnings-as-errors='*' \
    --extra-arg=-isystem"$work/omp" --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-ignored-optimization-argument
}

check_cuda() {
  if ! command -v nvcc >/dev/null && [[ -z ${CUDACXX:-} ]]; then
    echo "nvcc is not here: left out"
    return 0
  fi
  configure cuda
  cmake --build --preset cuda -j "$jobs" --target nodia_kernels
}

check_sanitizers() {
  configure asan-ubsan
  cmake --build --preset asan-ubsan -j "$jobs"
  # Blocks that OpenMP's threads hold at the end are no leaks.
  OMP_WAIT_POLICY=passive ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
    ctest --test-dir build/asan-ubsan --output-on-failure --no-tests=error -j "$jobs" --label-exclude slow
}

check_bits() {
  configure release
  tools/bits.sh --check
}

status=0
for part in "${parts[@]}"; do
  # In a shell of its own, where the first command that fails ends the part.
  set +e
  (set -e; "check_$part") >&2
  result=$?
  set -e
  if [[ $result -eq 0 ]]; then
    echo "check: $part ok"
  else
    echo "check: $part FAILED"
    status=1
  fi
done
exit "$status"
