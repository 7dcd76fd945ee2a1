#!/usr/bin/env bash
# Checks what no test sees: formatting, headers that need other includes, findings of clang-tidy, memory errors and undefined
# behaviour, changed bits. Every part ends with one line, `check: PART ok` or `check: PART FAILED`.
#
# Usage: tools/check.sh [--quick | PART ...]    without a part all of them
#   --quick          format, headers, structure: minutes on two cores, no build needed
#   PART
#   format           clang-format would change no C++ or CUDA file
#   headers          every header compiles alone
#   structure        includes between folders, names in the pages, public methods of classes
#   tidy             clang-tidy (.clang-tidy) on every source file but those of tests; about an hour of one core. --since COMMIT
#                    takes the files that changed since that commit, tests included
#   lines            prints the lines of product and of tests. --since COMMIT also prints those of that commit; files that
#                    were moved into tests/ since then count as product. Never fails
#   cuda             nvcc compiles every .cu file; skipped if nvcc is missing; 1 minute of one core
#   sanitizers       the quick host tests with the address and undefined-behaviour sanitizers (preset asan-ubsan: -O1, portable
#                    kernels, without the command line); 90 minutes of two cores. --piece K/N takes the K-th of N pieces of
#                    the test programs. Results: docs/reliability.md
#   bits             tools/bits.sh --check, with the kernels of every instruction set
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

parts=() since='' piece=1/1
while [[ $# -gt 0 ]]; do
  case $1 in
    --quick) parts+=(format headers structure) ;;
    --since) since=${2:?--since: a commit is missing}; shift ;;
    --piece)
      piece=${2:-}; shift
      [[ $piece =~ ^([1-9][0-9]?)/([1-9][0-9]?)$ && ${BASH_REMATCH[1]} -le ${BASH_REMATCH[2]} ]] ||
        { echo "check: --piece = $piece (must be K/N with 1 <= K <= N)" >&2; exit 2; } ;;
    format | headers | structure | tidy | lines | cuda | sanitizers | bits) parts+=("$1") ;;
    -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) echo "check: unknown argument $1 (see tools/check.sh --help)" >&2; exit 2 ;;
  esac
  shift
done
[[ ${#parts[@]} -gt 0 ]] || parts=(format headers structure tidy lines cuda sanitizers bits)
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
tools/setup.sh --tests >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A build folder of the preset, configured as tools/build.sh does; further words go to cmake.
configure() {
  local arguments=(--preset "$@")
  grep -qw avx2 /proc/cpuinfo || arguments+=(-DNODIA_ARCH=)
  cmake "${arguments[@]}" >"$work/configure" || { cat "$work/configure"; return 1; }
}

check_format() {
  git ls-files -z '*.cpp' '*.hpp' '*.cu' '*.cuh' |
    xargs -0 -n 40 -P "$jobs" clang-format --dry-run -Werror
}

# One compilation of a chain of headers (tools/header_chains.py), with the includes, definitions and language options of the
# build, without precompiled headers. Parsing alone: what templates do is for the files that use them.
headers_alone() {
  local includes=()
  for header in $1; do includes+=(-include "$header"); done
  # shellcheck disable=SC2086  (words of a command line)
  g++ -std=c++20 -fsyntax-only -fopenmp -Wall -Wextra -Werror -Wno-unused-function -DNODIA_SOURCE_DIR='"."' \
    -DNODIA_AVX2_KERNELS=1 -DNODIA_AVX512_KERNELS=1 -I. $isystem "${includes[@]}" -x c++ /dev/null ||
    { echo "alone, one of these does not compile: $1"; return 1; }
}
export -f headers_alone

check_headers() {
  # Folders of the dependencies that are not in the compiler's search path. Headers of CUDA need nvcc's.
  local nvcc headers without=/dev/null
  isystem=$(pkg-config --cflags-only-I eigen3 hdf5 | sed 's/-I */-isystem /g')
  isystem+=$(.venv/bin/python -c 'import nanobind, sysconfig
print("", *(f"-isystem {folder}" for folder in (nanobind.include_dir(), sysconfig.get_path("include"))))')
  if nvcc=$(command -v nvcc); then
    isystem+=" -isystem $(dirname "$(realpath "$nvcc")")/../include"
  else
    without=$work/without
    git grep -l '#include <cuda' -- '*.hpp' >"$without" || true
  fi
  export isystem
  mapfile -t headers < <(git ls-files '*.hpp' | grep -vxFf "$without")
  tools/header_chains.py "${headers[@]}" >"$work/chains"
  xargs -d '\n' -n 1 -P "$jobs" bash -c 'headers_alone "$1"' headers_alone <"$work/chains"
}

check_structure() {
  .venv/bin/python -m pytest -q -p no:cacheprovider tests/tools/test_floors.py tests/tools/test_pages.py tests/tools/test_class_sizes.py
}

# A build folder where clang-tidy finds every file that is compiled on this machine, once and without g++'s precompiled
# headers: build/tidy. Files of a library that are compiled as one (cmake/NodiaUnity.cmake) are looked at as one.
configure_tidy() {
  configure release -B build/tidy -DNODIA_PRECOMPILED_HEADERS=OFF -DNODIA_CUDA=OFF -DNODIA_KERNELS=portable "$@"
  cmake --build build/tidy --target nodia_commit >/dev/null
}

check_tidy() {
  local files changed='' folders='kernels|fem|host|scenarios|tools|python'
  if [[ -n $since ]]; then
    changed=$(git diff --name-only --diff-filter=d "$since" | grep -E "^($folders|tests)/.*\.cpp\$" || true)
    [[ -n $changed ]] || return 0
    configure_tidy -DNODIA_UNITY=OFF -DNODIA_TESTS=ON
  else
    configure_tidy -DNODIA_UNITY=ON -DNODIA_TESTS=OFF
  fi
  sed -i 's/ -mtls-dialect=gnu2//' build/tidy/compile_commands.json  # nanobind's, for g++ alone
  mapfile -t files < <(python3 -c '
import json, sys
known = {entry["file"] for entry in json.load(open("build/tidy/compile_commands.json")) if "/.venv/" not in entry["file"]}
changed = {f"{sys.argv[1]}/{name}" for name in sys.argv[2].split()}
print("\n".join(sorted(known & changed if changed else known)))
' "$PWD" "$changed")
  # GCC's OpenMP header stands in a folder with others that clang must not see, and has an attribute that it does not know.
  mkdir "$work/omp"
  sed 's/__malloc__ (omp_free)/__malloc__/' "$(g++ -print-file-name=include/omp.h)" >"$work/omp/omp.h"
  printf '%s\n' "${files[@]}" | xargs -r -n 1 -P "$jobs" clang-tidy -p build/tidy --quiet --warnings-as-errors='*' \
    --extra-arg=-isystem"$work/omp" --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-ignored-optimization-argument
}

# Lines of a commit: product, tests. Files whose names stand in $work/moved count as product.
count_lines() {
  git grep -c '' "$1" -- '*.cpp' '*.hpp' '*.cu' '*.cuh' '*.py' '*.sh' '*.cmake' | sed 's/^[^:]*://' |
    awk -F: -v moved="$work/moved" '
      BEGIN { while ((getline name < moved) > 0) is_product[name] = 1 }
      { if ($1 ~ /^tests\// && !is_product[$1]) tests += $2; else product += $2 }
      END { print product, tests }'
}

check_lines() {
  local product tests product_then tests_then
  : >"$work/moved"
  if [[ -n $since ]]; then
    git diff --find-renames --diff-filter=R --name-status "$since" HEAD |
      awk -F'\t' '$2 !~ /^tests\// && $3 ~ /^tests\// { print $3 }' >"$work/moved"
  fi
  read -r product tests < <(count_lines HEAD)
  echo "lines: product $product, tests $tests"
  if [[ -n $since ]]; then
    read -r product_then tests_then < <(count_lines "$since")
    echo "lines: at $since product $product_then, tests $tests_then;" \
      "change: product $((product - product_then)), tests $((tests - tests_then))"
  fi
}

check_cuda() {
  if ! command -v nvcc >/dev/null && [[ -z ${CUDACXX:-} ]]; then
    echo "nvcc is not here: left out"
    return 0
  fi
  local objects
  configure cuda
  mapfile -t objects < <(git ls-files '*.cu' | sed 's|^kernels/\(.*\)|nodia_kernels/CMakeFiles/nodia_kernels.dir/\1.o|')
  cmake --build --preset cuda -j "$jobs" --target "${objects[@]}"
}

# The test programs of the host, the most expensive ones to compile first, so that pieces are alike.
host_test_programs=(test_host_solvers test_scenarios test_host_simulation test_fem test_host_collision test_host_exchange
  test_kernels test_host_io test_host_problem test_host_errors test_host_scene test_host_backend
  test_host_solvers_complementarity test_step)

check_sanitizers() {
  local k programs=() part=${piece%/*} n_part=${piece#*/} pattern
  for k in "${!host_test_programs[@]}"; do
    if ((k % n_part == part - 1)); then programs+=("${host_test_programs[k]}"); fi
  done
  configure asan-ubsan
  cmake --build --preset asan-ubsan -j "$jobs" --target "${programs[@]}"
  pattern=$(IFS='|'; echo "^(${programs[*]})\.")
  # Blocks that OpenMP's threads hold at the end are no leaks.
  OMP_WAIT_POLICY=passive ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
    ctest --test-dir build/asan-ubsan --output-on-failure --no-tests=error -j "$jobs" -L quick -R "$pattern"
}

check_bits() {
  configure release -B build/bits -DNODIA_KERNELS=all -DNODIA_CUDA=OFF -DNODIA_PYTHON=OFF
  local isa isas=(portable)
  if grep -qw avx2 /proc/cpuinfo; then isas+=(avx2); fi
  if grep -qw avx512bw /proc/cpuinfo; then isas+=(avx512); fi
  for isa in "${isas[@]}"; do
    NODIA_ISA=$isa tools/bits.sh --check --build build/bits
  done
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
