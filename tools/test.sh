#!/usr/bin/env bash
# Sets everything up, builds and runs every test, those labelled slow last.
# Usage: tools/test.sh [--quick | --within MINUTES]
#   --quick           leaves the slow ones out
#   --within MINUTES  begins no slow one later than so long after its own start, and says which it left out
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

quick='' limit_s=''
while [[ $# -gt 0 ]]; do
  case $1 in
    --quick) quick=yes ;;
    --within)
      [[ ${2:-} =~ ^[1-9][0-9]{0,5}$ ]] || { echo "test: --within = ${2:-} (must be minutes, 1 or more)" >&2; exit 2; }
      limit_s=$((60 * $2))
      shift ;;
    -h | --help) sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) echo "test: unknown argument $1 (see tools/test.sh --help)" >&2; exit 2 ;;
  esac
  shift
done

cpp_tests() { ctest --test-dir build/release --output-on-failure --no-tests=error "$@"; }
# The tests of a file, which share what its fixtures make, in one process.
python_tests() { .venv/bin/python -m pytest -p no:cacheprovider --durations 15 "$@" tests/tools tests/python; }

tools/build.sh
status=0
# Two test programs or processes share two cores: threads that wait must sleep.
export OMP_WAIT_POLICY=passive
export NODIA_BINARY=$PWD/build/release/bin/nodia
cpp_tests -j 2 --label-exclude slow || status=1
python_tests -n 2 --dist loadfile -m "not slow" || status=1
if [[ -n $quick ]]; then exit "$status"; fi

# Slow ones of both kinds on a core each: where time is short, some of each are run.
until_s=${limit_s:+$(($(date +%s) + limit_s - SECONDS))}
slow_output=$(mktemp)
NODIA_SLOW_UNTIL=$until_s cpp_tests --label-regex slow >"$slow_output" 2>&1 &
slow_cpp=$!
trap 'kill "$slow_cpp" 2>/dev/null || true; rm -f "$slow_output"' EXIT
python_tests -m slow -rs ${until_s:+--slow-until "$until_s"} || status=1
wait "$slow_cpp" || status=1
cat "$slow_output"
exit "$status"
