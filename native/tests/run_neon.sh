#!/bin/sh
# Cross-compiles the library and its own test for 64-bit ARM and runs it under qemu, which shows the NEON kernel at work.
# Needs Debian's g++-aarch64-linux-gnu and qemu-user (`make neon` sees to them).
set -eu
cd "$(dirname "$0")/../.."
mkdir -p build/neon
objects=
newest=$(ls -t native/include/bitsep/*.hpp native/src/*/*.hpp native/src/kernels/*.inl | head -n 1)
for source in native/src/*/*.cpp native/tests/core_test.cpp; do
    object="build/neon/$(echo "$source" | tr / _).o"
    objects="$objects $object"
    [ "$object" -nt "$source" ] && [ "$object" -nt "$newest" ] || aarch64-linux-gnu-g++ -std=c++20 -O2 -ffp-contract=off -Wall -Wextra -Werror \
        -Inative/include -Inative/src -c "$source" -o "$object"
done
aarch64-linux-gnu-g++ -static $objects -o build/neon/core_test -pthread
qemu-aarch64 build/neon/core_test
