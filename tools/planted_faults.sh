#!/usr/bin/env bash
# Checks that the test suite finds ten planted faults. Each file tests/planted_faults/*.patch is one fault. The script clones the
# last commit, applies one patch at a time, builds the clone and runs the suite to its first failure. It then reverts the patch
# and runs the failed test again: the test finds the fault only if it passes without the patch.
# Usage: tools/planted_faults.sh [--work DIR] [NAME ...]
#   --work DIR  keeps the clone and its build in DIR for the next call (default: a temporary folder)
#   NAME        checks only the faults of these patch files, named without .patch (default: all)
# Prints one line per fault: "NAME: found by TEST in S s", where S includes the build. The exit code is 1 if no test finds a
# fault, if a patch does not apply, or if the patched tree does not build.
#
# A patch file begins with two comment lines: what the fault is, and which tests run first. Those are Python test files, or
# PROGRAM:FILTER with a filter of googletest; all other tests follow.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
repository=$PWD

fail() { echo "planted_faults: $*" >&2; exit 2; }

work='' names=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --work) work=${2:-}; [[ -n $work ]] || fail "--work: a folder is missing"; shift ;;
    -h | --help) sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"; exit 0 ;;
    -*) fail "unknown option $1 (see tools/planted_faults.sh --help)" ;;
    *) [[ -f tests/planted_faults/$1.patch ]] || fail "$1: tests/planted_faults/$1.patch does not exist"
      names+=("$1") ;;
  esac
  shift
done
if [[ ${#names[@]} -eq 0 ]]; then
  for file in tests/planted_faults/*.patch; do names+=("$(basename "$file" .patch)"); done
fi
if [[ -z $work ]]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
work=$(realpath "$work")
tree=$work/tree log=$work/log
export CCACHE_DIR=${CCACHE_DIR:-$repository/build/ccache}
export NODIA_BINARY=$tree/build/release/bin/nodia
export OMP_WAIT_POLICY=passive

# Checks out the last commit of this tree, unpatched. Files that did not change keep their times, so the build is incremental.
check_out() {
  if [[ -d $tree ]]; then
    git -C "$tree" fetch --quiet "$repository" HEAD
    git -C "$tree" reset --quiet --hard FETCH_HEAD
  else
    git clone --quiet "$repository" "$tree"
  fi
  [[ ! -d .venv ]] || ln -sfn "$repository/.venv" "$tree/.venv"
}

# Builds targets, or everything.
build() { cmake --build build/release --target "${@:-all}" >"$log" 2>&1; }

# Build targets that a list of tests needs.
targets_of() {
  local item
  for item in "$@"; do
    if [[ $item == tests/* ]]; then printf '%s\n' nodia nodia_core; else echo "${item%%:*}"; fi
  done | sort -u
}

# Runs a Python file or folder, or PROGRAM:FILTER, to its first failure. With a TEST runs only that test. The resolved forms of
# the scenarios do not count as finders: any change of a scenario file changes them. Nor does the test of the patches.
run_tests() {  # ITEM [TEST]
  local program=${1%%:*} filter='*'
  if [[ $1 == tests/* ]]; then
    timeout 7200 .venv/bin/python -m pytest -x -v -p no:cacheprovider \
      --ignore=tests/tools/test_planted_faults.py "${2:-$1}" >"$log" 2>&1
    return
  fi
  if [[ $1 == *:* ]]; then filter=${1#*:}; elif [[ $program == checked_host ]]; then filter='*Device*'; fi
  timeout 7200 "build/release/tests/$program" --gtest_fail_fast --gtest_filter="${2:-$filter:-*ResolvedForm*}" >"$log" 2>&1
}

# Prints the first failed test of the log; if the program crashed or hung, the test that was running.
failed_test() {
  awk '/^\[ RUN / { running = $4 }
       /^\[  FAILED  \]/ && failed == "" { failed = $4; sub(/,$/, "", failed) }
       /^tests\/[^ ]*::/ { running = $1; sub(/\[.*/, "", running) }
       /^(FAILED|ERROR) / && failed == "" { failed = $2; sub(/\[.*/, "", failed) }
       END { print failed != "" ? failed : running }' "$log"
}

# Runs tests one after another; fails if all pass. Sets `item` and `finder` to the first failure.
find_fault() {  # ITEM ...
  for item in "$@"; do
    if run_tests "$item"; then continue; fi
    finder=$(failed_test)
    [[ -n $finder ]] || finder="no test, but an error of $item"
    return 0
  done
  return 1
}

# All tests: the programs, then the Python tests.
all_tests() {
  find build/release/tests -maxdepth 1 -type f -perm -u+x \( -name 'test_*' -o -name checked_host \) -printf '%f\n' | sort
  printf '%s\n' tests/tools tests/python
}

# Applies one patch, and prints its line. Fails if the fault is not found.
check_fault() {  # NAME
  local patch=$repository/tests/planted_faults/$1.patch began=$SECONDS first built=() item='' finder=''
  git apply "$patch" 2>/dev/null || { echo "$1: patch does not apply"; return 1; }
  IFS=', ' read -ra first <<<"$(sed -n '2s/^# first: //p' "$patch")"
  mapfile -t built < <(targets_of "${first[@]}")
  build "${built[@]}" || { echo "$1: the patched tree does not build"; tail -n 20 "$log" >&2; git apply -R "$patch"; return 1; }
  if ! find_fault "${first[@]}"; then
    built=(all)
    build || { echo "$1: the patched tree does not build"; tail -n 20 "$log" >&2; git apply -R "$patch"; return 1; }
    local rest
    mapfile -t rest < <(all_tests)
    find_fault "${rest[@]}" || { echo "$1: NOT FOUND"; git apply -R "$patch"; return 1; }
  fi
  local took=$((SECONDS - began))
  git apply -R "$patch"
  build "${built[@]}" || { echo "$1: the tree does not build without the patch"; return 1; }
  run_tests "$item" "$finder" || { echo "$1: NOT FOUND ($finder fails without the patch too)"; return 1; }
  echo "$1: found by $finder in $took s"
}

check_out
cd "$tree"
tools/build.sh >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "the unpatched tree does not build"; }
status=0
for name in "${names[@]}"; do
  check_fault "$name" || status=1
done
exit "$status"
