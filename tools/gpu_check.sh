#!/usr/bin/env bash
# Checks and measures everything that needs an NVIDIA GPU, without a network, in one file: device
# tests, CPU against GPU on every scenario, compute-sanitizer, benchmark, probes.
# Usage: tools/gpu_check.sh [OUT.json] [--quick]    without it gpu_check.json
# Runs in a built tree (tools/build.sh) and in an unpacked bundle (tools/bundle.sh). A part that fails
# does not end the script. Exit codes: 0 good, 1 a part failed, 2 no GPU or bad usage.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

case ${1:-} in
  -h | --help) sed -n '2,6s/^# //p' "${BASH_SOURCE[0]}"; exit 0 ;;
esac
python=${NODIA_PYTHON:-$root/.venv/bin/python}
[[ -x $python ]] || python=python3
command -v "$python" >/dev/null || { echo "gpu_check: needs python3 (or NODIA_PYTHON)" >&2; exit 2; }
PYTHONPATH=$root/tools/python${PYTHONPATH:+:$PYTHONPATH} \
  exec "$python" -m nodia_tools.gpu_check --root "$root" "$@"
