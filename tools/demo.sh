#!/usr/bin/env bash
# From a fresh clone to a picture: installs what is needed, builds nodia, runs the soft mat with its checks and draws it.
# Usage: tools/demo.sh [--cuda] [--video]
#   --cuda    compiles CUDA too, although no NVIDIA device was found
#   --video   also writes a film (MP4) beside the picture
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

video='' build_options=()
for argument in "$@"; do
  case $argument in
    --cuda) build_options+=(--cuda) ;;
    --video) video=yes ;;
    -h | --help) sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) echo "demo: unknown argument $argument (must be --cuda or --video)" >&2; exit 2 ;;
  esac
done

cat <<'TEXT'
demo: installs packages, builds nodia, simulates a soft mat and draws it. On a new machine with two cores this takes
      3 to 8 minutes and 3 GB of disk, on a machine that has the packages and the build a few seconds.
TEXT
mkdir -p build
echo "demo: installing packages (output: build/setup.log)"
tools/setup.sh >build/setup.log 2>&1 || { tail -20 build/setup.log >&2; exit 1; }
tools/build.sh --demo "${build_options[@]}" nodia

nodia=build/release/bin/nodia
out=out/soft_mat
status=0
"$nodia" run scenarios/soft_mat/soft_mat.yaml --check --out "$out" --overwrite || status=$?
if compgen -G "$out/trajectory*.vtkhdf" >/dev/null; then
  "$nodia" render "$out" --out "$out/soft_mat.png"
  if [[ -n $video ]]; then
    "$nodia" render "$out" --out "$out/soft_mat.mp4"
  fi
  cat <<TEXT
demo: the picture is $PWD/$out/soft_mat.png
Next:
  $nodia view $out                                           # the same run in a browser, with a time line
  $nodia run scenarios/soft_ball/soft_ball.yaml --check      # a gripper lifts and turns a soft ball
  pip install .                                              # the Python package, from this build's objects
TEXT
fi
exit "$status"
