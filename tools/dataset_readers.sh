#!/usr/bin/env bash
# Makes a small dataset, exports it, reads the exports with LeRobot (0.4.4 or newer) and robomimic 0.3.0, and compares every
# value. The first run installs both readers into build/readers_env (8 GB, some minutes). tools/test.sh does not run this.
# Usage: tools/dataset_readers.sh [DATASET]    DATASET: a folder of `nodia generate` (default: a new, small dataset)
set -euo pipefail

case ${1:-} in
  -h | --help) sed -n '2,4s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
  -*) echo "dataset_readers: DATASET = $1 (must be a folder)" >&2; exit 2 ;;
esac
dataset=${1:+$(realpath "$1")}
cd "$(dirname "${BASH_SOURCE[0]}")/.."

nodia=${NODIA_BINARY:-$PWD/build/release/bin/nodia}
[[ -x $nodia ]] || { echo "dataset_readers: $nodia has not been built (run tools/build.sh)" >&2; exit 1; }
readers=build/readers_env
if ! "$readers/bin/python" -c 'import lerobot, robomimic' 2>/dev/null; then
  python3 -m venv --clear "$readers"
  "$readers/bin/python" -m pip install --quiet --no-input --disable-pip-version-check 'lerobot>=0.4.4' robomimic==0.3.0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [[ -z $dataset ]]; then
  dataset=$work/data
  "$nodia" generate scenarios/quick_lift/quick_lift.yaml "$dataset" --episodes 12 --seed 7 --block 4
fi
"$nodia" export "$dataset" "$work/lerobot" --to lerobot
"$nodia" export "$dataset" "$work/robomimic" --to robomimic
HF_HUB_OFFLINE=1 "$readers/bin/python" tools/dataset_readers.py "$dataset" "$work/lerobot" "$work/robomimic"
