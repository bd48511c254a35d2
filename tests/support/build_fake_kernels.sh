#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds the packages of tests/data/fake-fedora-kernel.spec that the tests of repositories share, once per build directory and state of the spec: full/ is a whole
# build, the others are base kernels that differ in name or version.   usage: build_fake_kernels.sh SPEC OUTPUT
set -eu
spec=$1
output=$2
command -v rpmbuild >/dev/null || {
    echo "rpmbuild is missing: install the package \"rpm\" or \"rpm-build\"" >&2
    exit 77
}
state=$(cat "$spec" "$0" | sha256sum)
[ "$state" != "$(cat "$output/state" 2>/dev/null)" ] || exit 0
rm -rf "$output"
mkdir -p "$output"

# build NAME DEFINE…; rpmbuild does not work in a directory with a space, which OUTPUT may have
build() {
    name=$1
    shift
    top=$(mktemp -d)
    rpmbuild -bb --define "_topdir $top" "$@" "$spec" >"$output/$name.log" 2>&1 || {
        cat "$output/$name.log" >&2
        rm -rf "$top"
        exit 1
    }
    mkdir "$output/$name"
    find "$top/RPMS" -name '*.rpm' -exec mv {} "$output/$name" \;
    rm -rf "$top"
}
build full
for release in 9.fc43 10.fc43 11~rc1.fc43 11.fc43; do
    build "$release" --define "fake_release $release" --define "fake_only_base 1"
done
build epoch --define "fake_version 5.0" --define "fake_release 1" --define "fake_epoch 1" --define "fake_only_base 1"
build longterm --define "fake_name kernel-longterm-6.12" --define "fake_version 6.12.9" --define "fake_only_base 1"
printf '%s\n' "$state" >"$output/state"
