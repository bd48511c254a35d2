#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The installed library is usable by others: found by CMake and by pkg-config, its errors catchable, only the public face exported.
# usage: installed.sh BUILD_DIR SOURCE_DIR
set -eu
build=$1
source=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/usr" >"$scratch/install.log" 2>&1 || {
    cat "$scratch/install.log"
    exit 1
}
mv "$scratch/usr" "$scratch/moved" # nothing installed may depend on where it was installed to

see() {
    echo "$1: $2"
    case $2 in *"/nonexistent/packages"*) ;; *)
        echo "the error does not name the directory"
        exit 1
        ;;
    esac
}
LD_LIBRARY_PATH=$(dirname "$(find "$scratch/moved" -name libbootbudget.so)")
export LD_LIBRARY_PATH

cmake -S "$source/tests/data/consumer" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$scratch/moved" >/dev/null
cmake --build "$scratch/cmake" >/dev/null
see CMake "$("$scratch/cmake/consumer" "$source/policies/demo.yaml")"

pc=$(dirname "$(find "$scratch/moved" -name bootbudget.pc)")
# shellcheck disable=SC2046 # the flags are words
c++ -std=c++20 "$source/tests/data/consumer/consumer.cpp" -o "$scratch/consumer" $(PKG_CONFIG_PATH="$pc" pkg-config --cflags --libs bootbudget)
see pkg-config "$("$scratch/consumer" "$source/policies/demo.yaml")"

library=$(find "$scratch/moved" -name 'libbootbudget.so' | head -n 1)
hidden=$(nm -DC --defined-only "$library" | grep -E '^[0-9a-f]+ [A-Za-z] bootbudget::(common|net|kernel|packages|variants|boot|measure|policy|report|doctor|run)::' || true)
if [ -n "$hidden" ]; then
    echo "exported, but not part of the public face:"
    echo "$hidden" | head
    exit 1
fi
[ -x "$scratch/moved/bin/bootbudget" ]
"$scratch/moved/bin/bootbudget" policy check developer
