#!/usr/bin/env bash
# The bits of short runs of every scenario file, so that a change that must not change results can
# show it. Prints a line a scenario file and precision (double, mixed, float), and a line each for
# a batch and for the kinds of W, accelerations and solvers that no scenario file chooses:
#
#   NAME PRECISION STEPS SHA-256
#
# SHA-256 is of positions, velocities and contact forces of all environments and bodies (robots'
# coordinates too) at the end of each of STEPS steps; tests/bits/bits.cpp says in which order.
#
# Usage: tools/bits.sh [ACTION] [OPTION ...] [NAME ...]
#   ACTION             without one the lines go to stdout
#   --check            compares with the kept lines, tests/bits/bits.txt, and prints what differs;
#                      exit code 1 where a line does
#   --write            renews the kept lines
#   --positions DIR    keeps the positions at the end of each run in DIR
#   --compare DIR      prints the largest deviation of each run's positions from those in DIR,
#                      relative to the body's size
#   OPTION
#   --build DIR        build folder, build/release without it
#   --no-build         takes the program `bits` as it stands in the build folder
#   --threads N        of each run, 1 without it; no number of threads changes a line (the dense
#                      products of `fischer`, whose rounding depends on it, keep one thread)
#   NAME               only the runs whose name begins so
#
# A commit that changes a line changes nothing else, and its message gives the largest deviation:
#   tools/bits.sh --positions out/before      at the commit before
#   tools/bits.sh --compare out/before        at the commit
#   tools/bits.sh --write
#
# The lines belong to the mathematics library and compiler that they were made with (the first
# lines of the kept file): another libm or compiler may round a sine differently, and then all
# lines that use it differ. They do not belong to the processor: NODIA_ISA = portable, avx2 and
# avx512 give the same.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

kept=tests/bits/bits.txt
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
[[ $action != write || ${#names[@]} -eq 0 ]] || fail "--write renews all lines (must be without a name)"
[[ $action != compare || -d $folder ]] || fail "--compare $folder: no such folder"

if [[ $fresh == 1 ]]; then
  [[ -f $build/CMakeCache.txt ]] || fail "$build is no build folder (run tools/build.sh)"
  cmake --build "$build" -j "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}" --target bits >&2
fi
program=$PWD/$build/tests/bits
[[ $build == /* ]] && program=$build/tests/bits
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What the lines belong to.
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

selected() {  # lines of names that begin with one of those asked for
  local name rest wanted
  while read -r name rest; do
    [[ ${#names[@]} -gt 0 ]] || echo "$name $rest"
    for wanted in "${names[@]}"; do
      [[ $name != "$wanted"* ]] || { echo "$name $rest"; break; }
    done
  done
}

"$program" list | selected >"$work/list"
[[ -s $work/list ]] || fail "${names[*]}: no such run"
# Long ones first, so that no core waits for the last.
sort -k3,3nr "$work/list" |
  OMP_NUM_THREADS=1 xargs -P "$(nproc)" -L 1 bash -euo pipefail -c 'one_run "$@"' one_run ||
  fail "a run failed"
while read -r name precision _; do
  cat "$work/$name.$precision.line"
done <"$work/list" >"$work/lines"

case $action in
  print) cat "$work/lines" ;;
  write)
    { environment; cat "$work/lines"; } >"$kept"
    echo "bits: $(wc -l <"$work/lines") lines in $kept" ;;
  positions)
    mkdir -p "$folder"
    while read -r name precision _; do cp "$work/$name.$precision" "$folder/"; done <"$work/list"
    cp "$work/lines" "$folder/lines.txt" ;;
  compare)
    while read -r name precision steps sum; do
      if [[ ! -f $folder/$name.$precision ]]; then
        echo "$name $precision: not in $folder"
      elif grep -qxF "$name $precision $steps $sum" "$folder/lines.txt"; then
        echo "$name $precision $steps: the same bits"
      else
        echo "$name $precision $steps: $("$program" deviation "$folder/$name.$precision" "$work/$name.$precision")"
      fi
    done <"$work/lines" ;;
  check)
    grep -v '^#' "$kept" | selected >"$work/kept"
    if difference=$(diff "$work/kept" "$work/lines"); then
      echo "bits: all $(wc -l <"$work/lines") lines are the same"
      exit 0
    fi
    echo "bits: lines differ (< kept, > here):"
    grep '^[<>]' <<<"$difference"
    if ! diff <(grep '^#' "$kept") <(environment); then
      echo "bits: the kept lines belong to another libm or compiler, which may be the whole cause"
    fi
    exit 1 ;;
esac
