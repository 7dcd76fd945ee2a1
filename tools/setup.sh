#!/usr/bin/env bash
# Installs what nodia is built and run with: the Debian packages of tools/debian_packages.txt and,
# in .venv, the Python packages of tools/requirements.txt. Does nothing where nothing is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() { echo "setup: $*" >&2; exit 1; }

install_debian_packages() {
  local wanted missing=() name as_root=()
  mapfile -t wanted <<<"$(grep -v '^#' tools/debian_packages.txt)"
  command -v dpkg-query >/dev/null ||
    fail "needs Debian 12 with apt; elsewhere install the like of: ${wanted[*]}"
  for name in "${wanted[@]}"; do
    if [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) != installed ]]; then
      missing+=("$name")
    fi
  done
  [[ ${#missing[@]} -gt 0 ]] || return 0
  if [[ $EUID -ne 0 ]]; then
    command -v sudo >/dev/null ||
      fail "not root and no sudo; as root run: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  echo "setup: installing ${missing[*]}"
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -qy --no-install-recommends "${missing[@]}"
}

install_python_packages() {
  local stamp=.venv/requirements.sha256 state
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "python3 is older than 3.11"
  state=$({ python3 --version; cat tools/requirements.txt; } | sha256sum)
  if [[ -f $stamp && $(<"$stamp") == "$state" ]] && .venv/bin/python -c '' 2>/dev/null; then
    return 0
  fi
  echo "setup: installing the Python packages of tools/requirements.txt into .venv"
  .venv/bin/python -m pip --version >/dev/null 2>&1 || python3 -m venv --clear .venv
  .venv/bin/python -m pip install --quiet --no-input --disable-pip-version-check \
    -r tools/requirements.txt
  echo "$state" >"$stamp"
}

install_debian_packages
install_python_packages
echo "setup: complete"
