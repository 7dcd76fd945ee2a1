#!/usr/bin/env bash
# Sets everything up, builds and runs every test.
# Usage: tools/test.sh [--quick]    --quick leaves out the tests labelled slow
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

selection=()
marker=()
for argument in "$@"; do
  case $argument in
    --quick) selection=(--label-exclude slow) marker=(-m "not slow") ;;
    -h | --help) sed -n '2,3s/^# //p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) echo "test: unknown argument $argument (must be --quick)" >&2; exit 2 ;;
  esac
done

tools/build.sh
status=0
# Two test programs or processes share two cores: threads that wait must sleep.
export OMP_WAIT_POLICY=passive
ctest --test-dir build/release --output-on-failure --no-tests=error -j 2 "${selection[@]}" ||
  status=1
export NODIA_BINARY=$PWD/build/release/bin/nodia
# The tests of a file, which share what its fixtures make, in one process.
.venv/bin/python -m pytest -p no:cacheprovider -n 2 --dist loadfile --durations 15 tests/tools tests/python "${marker[@]}" ||
  status=1
exit "$status"
