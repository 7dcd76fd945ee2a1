#!/usr/bin/env bash
# Prints checksums of short runs of every scenario file. They show whether a change alters any bit of the results. There is
# one line for each scenario file and precision (double, mixed, float), one for a batch, and one for each preconditioner,
# acceleration and solver that no scenario file selects:
#
#   NAME PRECISION STEPS SHA-256
#
# The checksum covers the positions, velocities and contact forces of all environments and bodies, and the coordinates of
# robots, after each of STEPS steps. tests/bits/bits.cpp documents the order.
#
# Usage: tools/bits.sh [ACTION] [OPTION ...] [NAME ...]
#   ACTION             default: print the lines
#   --check            compare with the stored lines in tests/bits/bits.txt, print the lines that differ; exit code 1 if any
#                      line differs
#   --write            replace the stored lines
#   --positions DIR    store the positions at the end of each run in DIR
#   --compare DIR      print the largest deviation of each run's positions from those in DIR, relative to the body's size
#   OPTION
#   --build DIR        build folder (default build/release)
#   --no-build         use the program `bits` in the build folder without building it
#   --threads N        threads of each run (default 1). The lines do not depend on this number. The dense products of
#                      `fischer` always use one thread, because their rounding depends on it.
#   NAME               run only the scenarios whose name begins with NAME
#
# A commit that changes a line contains no other change. Its message states the largest deviation:
#   tools/bits.sh --positions out/before      at the previous commit
#   tools/bits.sh --compare out/before        at the new commit
#   tools/bits.sh --write
#
# The lines depend on the mathematics library and the compiler, which the first lines of the stored file name. Another libm
# or compiler may round a sine differently, which changes all lines that use it. The lines do not depend on the processor:
# NODIA_ISA = portable, avx2 and avx512 give the same lines.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

stored=tests/bits/bits.txt
action=print folder='' build=build/release fresh=1 threads=1 names=()
fail() { echo "bits: $*" >&2; exit 2; }
value() { [[ $# -ge 2 && -n $2 ]] || fail "$1: a value is missing"; echo "$2"; }
while [[ $# -gt 0 ]]; do
  case $1 in
    --check | --write) action=${1#--} ;;
    --positions | --compare) action=${1#--} folder=$(value "$@"); shift ;;
    --build) build=$(value "$@"); shift ;;
    --threads) threads=$(value "$@"); shift ;;
    --no-build) fresh=0 ;;
    -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    -*) fail "unknown option $1 (see tools/bits.sh --help)" ;;
    *) names+=("$1") ;;
  esac
  shift
done
[[ $action != write || ${#names[@]} -eq 0 ]] || fail "--write replaces all lines (must be used without a name)"
[[ $action != compare || -d $folder ]] || fail "--compare $folder: folder does not exist"

if [[ $fresh == 1 ]]; then
  [[ -f $build/CMakeCache.txt ]] || fail "$build is not a build folder (run tools/build.sh)"
  cmake --build "$build" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" --target bits >&2
fi
program=$PWD/$build/tests/bits
[[ $build == /* ]] && program=$build/tests/bits
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints what the lines depend on: the mathematics library and the compiler.
environment() {
  local compiler
  compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
  echo "# libm: $(getconf GNU_LIBC_VERSION 2>/dev/null || echo unknown)"
  echo "# compiler: $("$compiler" --version 2>/dev/null | head -1 || echo unknown)"
}

one_run() {  # NAME PRECISION STEPS
  local sum
  sum=$("$program" run "$1" "$2" --threads "$threads" --positions "$work/$1.$2" | sha256sum)
  echo "$1 $2 $3 ${sum%% *}" >"$work/$1.$2.line"
}
export -f one_run
export program threads work

selected() {  # the lines whose name begins with one of the requested names
  local name rest wanted
  while read -r name rest; do
    [[ ${#names[@]} -gt 0 ]] || echo "$name $rest"
    for wanted in "${names[@]}"; do
      [[ $name != "$wanted"* ]] || { echo "$name $rest"; break; }
    done
  done
}

"$program" list | selected >"$work/list"
[[ -s $work/list ]] || fail "${names[*]}: no run has such a name"
# Long runs start first, so that all cores finish at about the same time.
sort -k3,3nr "$work/list" |
  OMP_NUM_THREADS=1 xargs -P "$(nproc)" -L 1 bash -euo pipefail -c 'one_run "$@"' one_run ||
  fail "a run failed"
while read -r name precision _; do
  cat "$work/$name.$precision.line"
done <"$work/list" >"$work/lines"

case $action in
  print) cat "$work/lines" ;;
  write)
    { environment; cat "$work/lines"; } >"$stored"
    echo "bits: $(wc -l <"$work/lines") lines in $stored" ;;
  positions)
    mkdir -p "$folder"
    while read -r name precision _; do cp "$work/$name.$precision" "$folder/"; done <"$work/list"
    cp "$work/lines" "$folder/lines.txt" ;;
  compare)
    while read -r name precision steps sum; do
      if [[ ! -f $folder/$name.$precision ]]; then
        echo "$name $precision: missing in $folder"
      elif grep -qxF "$name $precision $steps $sum" "$folder/lines.txt"; then
        echo "$name $precision $steps: the same bits"
      else
        echo "$name $precision $steps: $("$program" deviation "$folder/$name.$precision" "$work/$name.$precision")"
      fi
    done <"$work/lines" ;;
  check)
    grep -v '^#' "$stored" | selected >"$work/stored"
    if difference=$(diff "$work/stored" "$work/lines"); then
      echo "bits: all $(wc -l <"$work/lines") lines are the same"
      exit 0
    fi
    echo "bits: lines differ (< stored, > this build):"
    grep '^[<>]' <<<"$difference"
    if ! diff <(grep '^#' "$stored") <(environment); then
      echo "bits: the stored lines were made with another libm or compiler, which alone may explain the difference"
    fi
    exit 1 ;;
esac
