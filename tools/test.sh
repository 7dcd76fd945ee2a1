#!/usr/bin/env bash
# Installs what is needed, builds everything and runs every test.
# Usage: tools/test.sh [--quick | --write-slow]
#   --quick        leaves out the slow tests (tests/slow_tests.txt)
#   --write-slow   renews tests/slow_tests.txt from the times of this run
# The summary counts tests that passed, failed and skipped. A test may skip only if a GPU, a file of reference data or a
# package is absent.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

quick='' report_options=()
for argument in "$@"; do
  case $argument in
    --quick) quick=yes ;;
    --write-slow) report_options=(--slow tests/slow_tests.txt) ;;
    -h | --help) sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) echo "test: unknown argument $argument (see tools/test.sh --help)" >&2; exit 2 ;;
  esac
done

results=build/release/test_results
# Test programs run side by side, one per core: threads that wait must sleep.
export OMP_WAIT_POLICY=passive
export NODIA_BINARY=$PWD/build/release/bin/nodia

tools/build.sh
rm -rf "$results" build/release/tests/scenario_runs
mkdir -p "$results"
status=0
ctest --test-dir build/release --output-on-failure --no-tests=error -j "$(nproc)" ${quick:+--label-regex quick} || status=1
# The tests of a file run in one process, because they share fixtures.
.venv/bin/python -m pytest -q -p no:cacheprovider -n "$(nproc)" --dist loadfile --junitxml "$results/pytest.xml" \
  -o junit_family=xunit1 ${quick:+-m "not slow"} tests/tools tests/python || status=1
.venv/bin/python tools/test_report.py "$results" "${report_options[@]}" || status=1
exit "$status"
