#!/bin/sh
# Builds the library and its own test without Python, once with the address and undefined-behavior sanitizers and once
# with the thread sanitizer, and runs both.
set -eu
cd "$(dirname "$0")/../.."
newest=$(ls -t native/include/bitsep/*.hpp native/src/*/*.hpp native/src/kernels/*.inl | head -n 1)
for sanitizer in address,undefined thread; do
    out=build/sanitize-$(echo "$sanitizer" | tr , -)
    mkdir -p "$out"
    objects=
    for source in native/src/*/*.cpp native/tests/core_test.cpp; do
        object="$out/$(echo "$source" | tr / _).o"
        objects="$objects $object"
        [ "$object" -nt "$source" ] && [ "$object" -nt "$newest" ] || ${CXX:-g++} -std=c++20 -O1 -g -ffp-contract=off -fno-omit-frame-pointer \
            -fsanitize="$sanitizer" -fno-sanitize-recover=all -Inative/include -Inative/src -c "$source" -o "$object"
    done
    ${CXX:-g++} -fsanitize="$sanitizer" $objects -o "$out/core_test" -pthread
    echo "sanitizer: $sanitizer"
    "$out/core_test"
done
