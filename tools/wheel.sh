#!/usr/bin/env bash
# Builds the Python package as a wheel for any machine with the same or a newer glibc. The wheel contains its libraries. It is
# built without CHOLMOD, whose supernodal part is under the GPL, and without CUDA.
# Usage: tools/wheel.sh [OUT [ARGUMENT ...]]    OUT: folder (default out/wheel); ARGUMENT: for pip, e.g.
#                                               --config-settings=cmake.define.NODIA_ARCH=x86-64-v4
set -euo pipefail

case ${1:-} in
  -h | --help) sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
  -*) echo "wheel: OUT = $1 (must be a folder; arguments for pip follow it)" >&2; exit 2 ;;
esac
out=$(realpath -m "${1:-out/wheel}")
shift || true
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tools/setup.sh --tests >&2
# All instruction sets, unless the caller names one of the choices.
[[ $* == *NODIA_KERNELS=* ]] || set -- "$@" --config-settings=cmake.define.NODIA_KERNELS=all

export PATH=$PWD/.venv/bin:$PATH
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
python -m pip wheel . --quiet --no-deps --no-build-isolation --disable-pip-version-check -w "$stage" \
  --config-settings=cmake.define.Python_EXECUTABLE="$PWD/.venv/bin/python" "$@"
mkdir -p "$out"
python -m auditwheel repair --wheel-dir "$stage/repaired" "$stage"/nodia-*.whl >"$stage/log" 2>&1 ||
  { cat "$stage/log" >&2; exit 1; }
mv "$stage"/repaired/nodia-*.whl "$out/"
ls "$out"/nodia-*.whl
