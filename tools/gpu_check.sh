#!/usr/bin/env bash
# Checks and measures on an NVIDIA GPU what cannot be tested without one. Needs no network.
# Usage: tools/gpu_check.sh [OUT.json] [--parts A,B] [--budget S]
#   OUT.json    new file for the rows (default gpu_check.json)
#   --parts     parts that run, in order (default: tickets,bits,times,batches)
#               tickets   litmus test of the memory order between blocks, with two negative controls
#               bits      every scenario, 20 steps, on the CPU and on the GPU, must have equal bits:
#                         with its own solver, and with cond in double and in float
#               times     iterations and whole steps at 1.5k, 34k and 1.5M nodes
#               batches   64 to 16384 environments
#               profile   Nsight Compute on the ten most expensive kernels of a step
#               sanitizer compute-sanitizer on the two smallest scenarios with soft bodies
#   --budget S  seconds after which the call has ended, whatever the programs do (default 240)
# The second call is: tools/gpu_check.sh SECOND.json --parts profile,sanitizer
# Runs in a built tree (tools/build.sh) and in an unpacked bundle (tools/bundle.sh). The script writes
# each row as soon as it is known. A program that fails, hangs or crashes costs its own row only.
# Exit codes: 0 all rows are good, 1 a row failed, 2 no GPU or bad usage, 3 no row failed but some are
# not finished.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

case ${1:-} in
  -h | --help) sed -n '2,20s/^# \?//p' "${BASH_SOURCE[0]}"; exit 0 ;;
esac
python=${NODIA_PYTHON:-$root/.venv/bin/python}
[[ -x $python ]] || python=python3
command -v "$python" >/dev/null || { echo "gpu_check: needs python3 (or NODIA_PYTHON)" >&2; exit 2; }
PYTHONPATH=$root/python${PYTHONPATH:+:$PYTHONPATH} \
  exec "$python" -P -m nodia_tools.gpu_check --root "$root" "$@"
