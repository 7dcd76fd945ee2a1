#!/usr/bin/env bash
# From a fresh clone to a picture: sets everything up, builds, runs the soft mat with its checks
# and draws it.
# Usage: tools/demo.sh [--video]    --video writes an MP4 beside the picture
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

video=no
for argument in "$@"; do
  case $argument in
    --video) video=yes ;;
    -h | --help) sed -n '2,4s/^# //p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) echo "demo: unknown argument $argument (must be --video)" >&2; exit 2 ;;
  esac
done

tools/build.sh nodia
nodia=build/release/bin/nodia
out=out/soft_mat
status=0
"$nodia" run scenarios/soft_mat/soft_mat.yaml --check --out "$out" --overwrite || status=$?
if compgen -G "$out/trajectory*.vtkhdf" >/dev/null; then
  "$nodia" render "$out" --out "$out/soft_mat.png"
  if [[ $video == yes ]]; then
    "$nodia" render "$out" --out "$out/soft_mat.mp4"
  fi
  echo "results: $PWD/$out"
fi
exit "$status"
