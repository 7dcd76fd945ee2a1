#!/usr/bin/env bash
# Samples scenes of all kinds, runs them, and judges every run by a checker that reads the trajectory and the scene alone.
# Usage: tools/campaign.sh [--scenes N [--family NAME] | --variants N] [--seed S] [--out DIR]
#        tools/campaign.sh --resume DIR
#   --scenes N     number of sampled scenes (default 100): soft, rigid, mesh, compound, cable and robot in turn
#   --family NAME  scenes with one kind of contact and a known answer: seams, thin, cables or meshes
#   --variants N   instead, the scenario files and sampled variants of them, N in all; nothing may be found in them
#   --seed S       seed (default 1); scene k depends on S and k alone
#   --out DIR      new folder (default out/campaign)
#   --resume DIR   continues the campaign in DIR after an interruption
# DIR/results.jsonl has one line per scene: exit code, look_at, verdict, and findings with step, body, value and bound.
# DIR/failures has the reduced scenes of all failures. docs/reliability.md explains checks and verdicts.
# Exit codes: 0 no failure, 1 failures, 2 bad usage.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

case ${1:-} in
  -h | --help) sed -n '2,14s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
esac
python=$root/.venv/bin/python
[[ -x ${NODIA_BINARY:-$root/build/release/bin/nodia} ]] || { echo "campaign: nodia has not been built (run tools/build.sh)" >&2; exit 1; }
[[ -x $python ]] || { echo "campaign: $python is absent (run tools/setup.sh)" >&2; exit 1; }
PYTHONPATH=$root/tools:$root/python${PYTHONPATH:+:$PYTHONPATH} OMP_NUM_THREADS=1 exec "$python" -P -m campaign "$@"
