#!/usr/bin/env bash
# Checks and measures everything that needs an NVIDIA GPU, without a network, in one file.
# Usage: tools/gpu_check.sh [OUT.json] [--parts A,B] [--budget S] [--quick]
#   OUT.json    without it gpu_check.json; a second call with the same file goes on where one ended
#   --parts     probes    barriers, launches, graphs, copies and bandwidths of the device
#               tests     device tests of every test program
#               scenarios CPU against GPU, the same iterations on every scenario
#               profile   Nsight Compute on the kernels of an iteration
#               benchmark loop and whole steps of 1.5k to 150k nodes
#               repeats   three runs of every scenario on the GPU: the same bits
#               sanitizer compute-sanitizer over some steps of every scenario and the tests
#               batches   64 to 16384 environments
#               large     1.5M nodes
#   --budget S  seconds that the call takes at most, whatever the programs do; without it 540
#   --quick     fewer steps and sizes
# Runs in a built tree (tools/build.sh) and in an unpacked bundle (tools/bundle.sh). What fails,
# hangs or crashes does not end the script; the file is whole at any time. Exit codes: 0 good,
# 1 something failed, 2 no GPU or bad usage, 3 nothing failed and not all is done.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

case ${1:-} in
  -h | --help) sed -n '2,19s/^# \?//p' "${BASH_SOURCE[0]}"; exit 0 ;;
esac
python=${NODIA_PYTHON:-$root/.venv/bin/python}
[[ -x $python ]] || python=python3
command -v "$python" >/dev/null || { echo "gpu_check: needs python3 (or NODIA_PYTHON)" >&2; exit 2; }
PYTHONPATH=$root/python${PYTHONPATH:+:$PYTHONPATH} \
  exec "$python" -m nodia_tools.gpu_check --root "$root" "$@"
