#!/bin/sh
# Builds the library and one of the programs here (micro, threads, ways), without Python, and runs it; JSON on standard output.
set -eu
cd "$(dirname "$0")/../.."
program=$1
out=build/bench
mkdir -p "$out"
newest=$(ls -t native/include/bitsep/*.hpp native/src/*/*.hpp native/src/kernels/*.inl | head -n 1)
objects=
for source in native/src/*/*.cpp "native/bench/$program.cpp"; do
    object="$out/$(echo "$source" | tr / _).o"
    objects="$objects $object"
    if [ ! "$object" -nt "$source" ] || [ ! "$object" -nt "$newest" ]; then
        # As in CMakeLists.txt, so that the code measured is the code shipped.
        ${CXX:-g++} -std=c++20 -O3 -DNDEBUG -ffp-contract=off -Inative/include -Inative/src -c "$source" -o "$object"
    fi
done
${CXX:-g++} $objects -o "$out/$program" -pthread
"$out/$program"
