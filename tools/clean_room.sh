#!/usr/bin/env bash
# Proves that a fresh machine is enough: clones the committed tree into a new Debian 12 that has
# nothing but git (debootstrap, in a chroot) and runs a script there. Needs root and debootstrap.
# Usage: tools/clean_room.sh setup|build|demo|test [the script's own arguments]
#        tools/clean_room.sh demo+test    tools/demo.sh, then tools/test.sh in the same clone
#        tools/clean_room.sh tutorial     what README.md and docs/tutorial.md show, literally
# The chroot is $NODIA_CLEAN_ROOM (default /tmp/nodia_clean_room). It is created again unless
# NODIA_CLEAN_ROOM_KEEP=1. This machine's settings for reaching its package mirrors (apt, pip,
# certificates, proxies) are copied into it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() { echo "clean_room: $*" >&2; exit 2; }

case ${1:-} in
  setup | build | demo | test | demo+test | tutorial) ;;
  *) fail "first argument = ${1:-nothing} (must be setup, build, demo, test, demo+test or tutorial)" ;;
esac
IFS=+ read -ra scripts <<<"$1"

[[ $EUID -eq 0 ]] || fail "needs root for chroot"
command -v debootstrap >/dev/null || fail "needs debootstrap (apt-get install debootstrap)"

# Mounts live in a namespace of this script's own: they are gone when it ends, however it ends.
if [[ -z ${NODIA_CLEAN_ROOM_INSIDE:-} ]]; then
  NODIA_CLEAN_ROOM_INSIDE=1 exec unshare --mount --propagation private "$PWD/tools/clean_room.sh" "$@"
fi
shift

room=${NODIA_CLEAN_ROOM:-/tmp/nodia_clean_room}
if [[ ${NODIA_CLEAN_ROOM_KEEP:-0} != 1 ]]; then
  if [[ -e $room ]]; then
    [[ -f $room/.nodia_clean_room ]] || fail "$room exists and is no clean room of this script"
    rm -rf --one-file-system "$room"
  fi
fi
if [[ ! -f $room/.nodia_clean_room ]]; then
  debootstrap --variant=minbase --include=git,ca-certificates bookworm "$room"
  touch "$room/.nodia_clean_room"
fi

cp -L /etc/resolv.conf "$room/etc/resolv.conf"
if [[ -f /etc/apt/sources.list.d/debian.sources ]]; then
  cp /etc/apt/sources.list.d/debian.sources "$room/etc/apt/sources.list.d/"
  : >"$room/etc/apt/sources.list"
elif [[ -f /etc/apt/sources.list ]]; then
  cp /etc/apt/sources.list "$room/etc/apt/sources.list"
fi
find /etc/apt/apt.conf.d -name '99*' -exec cp -t "$room/etc/apt/apt.conf.d/" {} +
if [[ -f /etc/pip.conf ]]; then
  cp /etc/pip.conf "$room/etc/pip.conf"
fi
certificates=usr/local/share/ca-certificates
find "/$certificates" -name '*.crt' -exec cp -t "$room/$certificates/" {} +

mount --bind /proc "$room/proc"
mount --rbind /dev "$room/dev"

environment=(HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin)
kept='PIP_(CERT|INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|DEFAULT_TIMEOUT)'
kept+='|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY'
while IFS= read -r pair; do
  environment+=("$pair")
done < <(env | grep -E "^($kept)=")
inside() { chroot "$room" env -i "${environment[@]}" "$@"; }

inside update-ca-certificates >/dev/null
rm -rf "$room/root/nodia.git" "$room/root/nodia"
git clone --quiet --bare "$PWD" "$room/root/nodia.git"
inside git clone --quiet /root/nodia.git /root/nodia
if [[ ${scripts[0]} == tutorial ]]; then
  tools/page_script.py README.md docs/tutorial.md >"$room/root/tutorial.sh"
  inside bash -c 'cd /root/nodia && time bash /root/tutorial.sh'
  for file in grasp.png grasp.mp4 sweep.png; do
    [[ -s $room/root/grasp/$file ]] || fail "the tutorial has not made $file"
  done
  exit 0
fi
for script in "${scripts[@]}"; do
  inside bash -c 'cd / && time /root/nodia/"$@"' clean_room "tools/$script.sh" "$@"
done
