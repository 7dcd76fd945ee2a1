#!/usr/bin/env bash
# Installs the packages that nodia needs: Debian packages, and Python packages in .venv. Does nothing if all are there.
# Usage: tools/setup.sh [--tests]
#   --tests   also what the tests, the checks and the Python package need, not the command alone
# The packages: tools/debian_packages.txt and tools/requirements.txt; for --tests also
# tools/debian_packages_tests.txt and tools/requirements-tests.txt.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() { echo "setup: $*" >&2; exit 1; }

debian_lists=(tools/debian_packages.txt)
python_lists=(tools/requirements.txt)
for argument in "$@"; do
  case $argument in
    --tests)
      debian_lists+=(tools/debian_packages_tests.txt)
      python_lists+=(tools/requirements-tests.txt) ;;
    -h | --help) sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) echo "setup: unknown argument $argument (must be --tests)" >&2; exit 2 ;;
  esac
done

install_debian_packages() {
  local wanted missing=() name as_root=()
  mapfile -t wanted < <(grep -hv '^#' "${debian_lists[@]}")
  command -v dpkg-query >/dev/null ||
    fail "needs Debian 12 with apt; on another system install what corresponds to: ${wanted[*]}"
  for name in "${wanted[@]}"; do
    if [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) != installed ]]; then
      missing+=("$name")
    fi
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null ||
      fail "needs root or sudo; as root run: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  echo "setup: installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qy --no-install-recommends "${missing[@]}"
}

# A stamp for each list: the list of the tests contains nothing of the other one.
install_python_packages() {
  local list stamp state
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "python3 is older than 3.11"
  .venv/bin/python -m pip --version >/dev/null 2>&1 || python3 -m venv --clear .venv
  for list in "${python_lists[@]}"; do
    stamp=.venv/$(basename "$list" .txt).sha256
    state=$({ python3 --version; cat "$list"; } | sha256sum)
    if [[ -f $stamp && $(<"$stamp") == "$state" ]]; then continue; fi
    echo "setup: installing the Python packages of $list into .venv"
    .venv/bin/python -m pip install --quiet --no-input --disable-pip-version-check --no-compile -r "$list"
    echo "$state" >"$stamp"
  done
}

install_debian_packages
install_python_packages
echo "setup: complete"
