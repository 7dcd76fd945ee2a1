#!/usr/bin/env bash
# Measures what a build from nothing costs: CPU seconds (user + sys) by folder, and the ten most expensive files.
# Usage: tools/build_times.sh [--demo] [TARGET ...]    as tools/build.sh; without --demo and TARGET everything
# Builds in build/times, without the compiler cache and one file at a time. A file that compiles several others as one counts
# for the folder of the first.
set -euo pipefail

# Called by CMake in front of every compiler command: appends the CPU seconds of the command and its source file to the log.
if [[ ${1:-} == --launch ]]; then
  log=$2 root=$3
  shift 3
  status=0
  "$@" || status=$?
  source=''
  for word in "$@"; do
    case $word in *.cpp | *.cxx | *.cu | *.c | *.cc) source=$word ;; esac
  done
  if [[ $source == */Unity/* ]]; then source=$(sed -n 's/^#include "\(.*\)"/\1/p' "$source" | head -1); fi
  seconds=$(times | awk 'NR == 2 { for (k = 1; k <= 2; ++k) { split($k, t, /[ms]/); sum += 60 * t[1] + t[2] } print sum }')
  echo "$seconds ${source#"$root"/}" >>"$log"
  exit "$status"
fi

cd "$(dirname "${BASH_SOURCE[0]}")/.."
options=(-DNODIA_CCACHE=OFF) targets=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --demo) options+=(-DNODIA_CUDA=OFF -DNODIA_PYTHON=OFF -DNODIA_REFERENCE_SOLVERS=OFF -DNODIA_TESTS=OFF); targets=(nodia) ;;
    -h | --help) sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    -*) echo "build_times: unknown argument $1 (see tools/build_times.sh --help)" >&2; exit 2 ;;
    *) targets+=("$1") ;;
  esac
  shift
done
[[ ${#targets[@]} -gt 0 ]] || targets=(all)

folder=build/times log=$PWD/build/times/cpu_seconds.txt
rm -rf "$folder"
mkdir -p "$folder"
launcher="$PWD/tools/build_times.sh;--launch;$log;$PWD"
cmake --preset release -B "$folder" "${options[@]}" -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" \
  -DCMAKE_CUDA_COMPILER_LAUNCHER="$launcher" >"$folder/configure.log"
cmake --build "$folder" -j 1 --target "${targets[@]}" >"$folder/build.log"

LC_ALL=C awk '
  { n = split($2, part, "/"); folder = part[1] (n > 2 ? "/" part[2] : ""); by_folder[folder] += $1; all += $1 }
  END { for (f in by_folder) printf "%7.1f s  %s\n", by_folder[f], f | "sort -rn"; close("sort -rn"); printf "%7.1f s  all\n\n", all }' "$log"
echo "the ten most expensive files:"
LC_ALL=C sort -rn "$log" | head -10 | awk '{ printf "%7.1f s  %s\n", $1, $2 }'
