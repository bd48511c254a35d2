#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# unpack_qemu.sh SUITE DIR: the QEMU of another Debian suite (trixie, sid, bookworm-backports, …) beside the system's, which stays as it is.
# DIR gets the packages' files and an executable DIR/qemu-system-x86_64 that runs it with its own loader, libraries and firmware. Needs no root.
# A DIR that is complete is left alone. Exits with 77 and the reason where it cannot be had: no apt, no network, no mirror of Debian, no such suite.
set -euo pipefail
[ $# -eq 2 ] || {
    echo "usage: unpack_qemu.sh SUITE DIR" >&2
    exit 2
}
suite=$1 directory=$2
[ ! -x "$directory/qemu-system-x86_64" ] || exit 0

skip() {
    echo "SKIPPED: QEMU of $suite: $*" >&2
    exit 77
}
for program in apt-get dpkg dpkg-deb; do command -v "$program" >/dev/null || skip "there is no $program here"; done
[ "$(dpkg --print-architecture)" = amd64 ] || skip "this is not an amd64 system"

# The mirror that this system itself uses; the security archive has no other suites.
# shellcheck disable=SC2016 # apt-get expands it
mirror=$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Identifier: Packages' |
    awk '$1 == "Debian" && $2 == "Debian" { print $3; exit }')
[ -n "$mirror" ] || skip "apt knows no mirror of Debian (run apt-get update, if this is Debian)"

mkdir -p "$(dirname "$directory")"
work=$(mktemp -d "$directory.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/apt/state/lists/partial "$work"/apt/cache/archives/partial "$work"/root

keyring=/usr/share/keyrings/debian-archive-keyring.gpg
options=
[ ! -e "$keyring" ] || options="[signed-by=$keyring] "
for name in "$suite" "${suite%-backports}"; do echo "deb $options$mirror $name main"; done | sort -u >"$work/apt/sources.list"
: >"$work/apt/status"
# With an empty list of installed packages, "install" fetches all that QEMU needs. A mirror's copy of a suite may be older than its signature's term.
apt=(apt-get -q -y -t "$suite" -o "Dir::State=$work/apt/state" -o "Dir::State::status=$work/apt/status" -o "Dir::Cache=$work/apt/cache"
    -o "Dir::Etc::sourcelist=$work/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferencesparts=/dev/null
    -o Dir::Etc::preferences=/dev/null -o Acquire::Check-Valid-Until=false -o Acquire::Languages=none -o Acquire::Retries=2
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false
    -o APT::Sandbox::User= -o APT::Update::Error-Mode=any
    -o Debug::NoLocking=1)
"${apt[@]}" update >"$work/apt/log" 2>&1 || {
    tail -n 5 "$work/apt/log" >&2
    skip "apt-get update failed against $mirror"
}
"${apt[@]}" --no-install-recommends --download-only install qemu-system-x86 seabios >"$work/apt/log" 2>&1 || {
    tail -n 5 "$work/apt/log" >&2
    skip "the packages could not be fetched from $mirror"
}
for package in "$work"/apt/cache/archives/*.deb; do
    # A suite with its /usr merged has links where older packages have directories; all of it goes below usr.
    dpkg-deb --fsys-tarfile "$package" | tar -x -C "$work/root" --no-same-owner --no-same-permissions --keep-directory-symlink \
        --transform='s,^\./\(lib\|lib64\|bin\|sbin\)\(/\|$\),./usr/\1\2,' --exclude='./usr/share/doc' --exclude='./usr/share/man' \
        --exclude='./usr/share/locale' --exclude='./etc' --exclude='./var'
done
rm -rf "$work/apt"

cat >"$work/qemu-system-x86_64" <<'SCRIPT'
#!/bin/sh
# Its own loader and libraries, so that nothing of the system's is mixed in; a QEMU module of another build would not load.
here=$(dirname "$(readlink -f "$0")")
libraries=$here/root/usr/lib/x86_64-linux-gnu
export QEMU_MODULE_DIR="$libraries/qemu"
# What libguestfs 1.48 says to every QEMU, and QEMU 9 and later no longer understand.
for argument; do
    shift
    case $argument in
        -no-hpet) set -- "$@" -machine hpet=off ;;
        *) set -- "$@" "$argument" ;;
    esac
done
exec "$here/root/usr/lib64/ld-linux-x86-64.so.2" --library-path "$libraries" --argv0 qemu-system-x86_64 \
    "$here/root/usr/bin/qemu-system-x86_64" -L "$here/root/usr/share/seabios" -L "$here/root/usr/share/qemu" "$@"
SCRIPT
chmod +x "$work/qemu-system-x86_64"
"$work/qemu-system-x86_64" --version >&2 || skip "what was unpacked does not run here"
trap - EXIT
chmod 755 "$work"
mv -T "$work" "$directory"
