#!/usr/bin/env bash
# Packs the built tree into one archive that runs from any folder of another machine, without installed packages. It contains
# the programs (nodia, nodia-studies, nodia-read-mesh, the tests), their shared libraries (except glibc and the NVIDIA driver),
# the scenarios, and the files that tools/gpu_check.sh needs.
#   python3 -m tarfile -e nodia_bundle.tar.xz    # or tar xJf, if xz is installed
#   nodia_bundle/run nodia info && nodia_bundle/tools/gpu_check.sh
# Usage: tools/bundle.sh [OUT.tar.xz]    (default out/nodia_bundle.tar.xz)
# NODIA_BUILD_DIR names the build folder (default build/release).
set -euo pipefail

fail() { echo "bundle: $*" >&2; exit "${2:-1}"; }

out=out/nodia_bundle.tar.xz
case ${1:-} in
  "") ;;
  -h | --help) sed -n '2,8s/^# //p' "${BASH_SOURCE[0]}"; exit 0 ;;
  *.tar.xz) out=$1 ;;
  *) echo "bundle: OUT = $1 (must end in .tar.xz)" >&2; exit 2 ;;
esac
[[ $# -le 1 ]] || { echo "bundle: ${2} is unexpected (must be one file)" >&2; exit 2; }
out=$(realpath -m "$out")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=${NODIA_BUILD_DIR:-build/release}
[[ -x $build/bin/nodia ]] || fail "$build/bin/nodia has not been built (run tools/build.sh)"

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
bundle=$stage/nodia_bundle
mkdir -p "$bundle/bin" "$bundle/lib" "$bundle/tools"

mapfile -t programs < <(find "$build/bin" "$build/tests" -maxdepth 1 -type f -perm -u+x \
  \( -name nodia -o -name nodia-studies -o -name nodia-read-mesh -o -name 'test_*' \))
for program in "${programs[@]}"; do
  readelf -d "$program" | grep -q 'RPATH.*ORIGIN/../lib' ||
    fail "$program does not search ../lib for libraries (configure and build it again)"
  cp "$program" "$bundle/bin/"
done

# The loader, glibc and the NVIDIA driver must be those of the machine that runs the bundle.
glibc='ld-linux.*|linux-vdso|lib(c|m|mvec|dl|rt|pthread|resolv|util|anl|nss_.*|nsl|thread_db)'
own="^(($glibc)\.so|lib(cuda|nvidia-.*)\.so)"
ldd "${programs[@]}" >"$stage/ldd"
if grep -q 'not found' "$stage/ldd"; then
  fail "$(grep -m 1 'not found' "$stage/ldd" | tr -s '[:space:]' ' ')"
fi
while read -r name path; do
  [[ $name =~ $own ]] || cp -L "$path" "$bundle/lib/$name"
done < <(awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}' "$stage/ldd" | sort -u)
chmod u+w "$bundle"/lib/*
strip --strip-unneeded "$bundle"/bin/* "$bundle"/lib/*

cp -r scenarios "$bundle/"
mkdir -p "$bundle/tests/support" "$bundle/tests/scenarios"
cp tests/support/*.json "$bundle/tests/support/"
cp -r tests/scenarios/resolved "$bundle/tests/scenarios/"
mkdir "$bundle/python"
cp -r python/nodia_tools "$bundle/python/"
cp tools/gpu_check.sh "$bundle/tools/"
find "$bundle" \( -name '*.cpp' -o -name '*.hpp' -o -name CMakeLists.txt -o -name '*.pyc' \) -delete
find "$bundle" -type d -empty -delete
cp LICENSE "$bundle/"
cat >"$bundle/run" <<'RUN'
#!/bin/sh
# Runs a program of this bundle from any folder: `run nodia info`, `run test_kernels`.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
if [ $# -eq 0 ] || [ ! -x "$here/bin/$1" ]; then
  echo "run: ${1:-nothing} (must be one of: $(ls "$here/bin" | tr '\n' ' '))" >&2
  exit 2
fi
program=$here/bin/$1
shift
# Without /proc, the loader takes the program's folder from LD_ORIGIN_PATH.
NODIA_SOURCE_DIR=$here LD_ORIGIN_PATH=$here/bin exec "$program" "$@"
RUN
chmod +x "$bundle/run"

mkdir -p "$(dirname "$out")"
# The programs share code. A compression window that spans several programs stores it once.
tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner -cf - nodia_bundle |
  python3 -c '
import lzma, shutil, sys

window = {"id": lzma.FILTER_LZMA2, "preset": 2, "dict_size": 64 << 20}
filters = [{"id": lzma.FILTER_X86}, window]
with lzma.open(sys.argv[1], "wb", filters=filters) as packed:
    shutil.copyfileobj(sys.stdin.buffer, packed, 1 << 20)
' "$stage/packed"
mv "$stage/packed" "$out"
chmod 644 "$out"
bytes=$(stat -c %s "$out")
LC_ALL=C awk -v file="$out" -v n="$bytes" 'BEGIN { printf "%s: %.1f MB\n", file, n / 1e6 }'
if [[ $bytes -gt $((45 << 20)) ]]; then
  echo "bundle: more than 45 MiB; to split it: split -b 40M $out" >&2
fi
