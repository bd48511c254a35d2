#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Builds what the end-to-end tests boot, once per build directory and state of specs/: the small kernel in both variants with `bootbudget build`, and the installed
# distribution kernel repackaged.   usage: fixture_kernels.sh COMMAND SOURCE_DIR FIXTURES
set -eu
command=$1
source=$2
fixtures=$3
mkdir -p "$fixtures"

# Beside the directory, where it is not in the way when bootbudget replaces that.
inputs=$(cd "$source/specs" && sha256sum kernel-mini.spec configs/*)
if [ ! -e "$fixtures/kernels/manifest.json" ] || [ "$inputs" != "$(cat "$fixtures/kernels.inputs" 2>/dev/null)" ]; then
    tarball=${BOOTBUDGET_KERNEL_TARBALL:-}
    [ -n "$tarball" ] || tarball=$(find /usr/src "$source/build/kernel-source" -maxdepth 1 -name 'linux-*.tar.xz' 2>/dev/null | sort -V | tail -n 1)
    [ -n "$tarball" ] || {
        echo "no kernel tarball in /usr/src; ./dev setup installs one" >&2
        exit 1
    }
    "$command" build "$source/specs/kernel-mini.spec" --nodeps --source-dir "$(dirname "$tarball")" \
        --define "kernel_tarball $(basename "$tarball")" --output "$fixtures/kernels"
    printf '%s\n' "$inputs" >"$fixtures/kernels.inputs"
fi

if [ ! -d "$fixtures/distro" ]; then
    top=$(mktemp -d "$fixtures/distro.XXXXXX")
    rpmbuild -bb --nodeps --define "_topdir $top" "$source/tests/data/kernel-distro.spec" >"$top/log" 2>&1 || {
        cat "$top/log" >&2
        exit 1
    }
    mv "$top/RPMS" "$fixtures/distro"
    rm -rf "$top"
fi
