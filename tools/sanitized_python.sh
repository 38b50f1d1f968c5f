#!/bin/sh
# Build the extension module with a sanitizer, and run Python with it: sh tools/sanitized_python.sh VENV address|thread ARGUMENTS...
set -eu
venv=$1 sanitizer=$2
shift 2
if [ "$sanitizer" = address ]; then
    flags=-fsanitize=address,undefined library=libasan.so
else
    flags=-fsanitize=thread library=libtsan.so
fi
build=$PWD/build/native/python-$sanitizer
"$venv/bin/pip" install --quiet --no-build-isolation --no-deps --upgrade --target "$build/package" \
    --config-settings=build-dir="$build" --config-settings=cmake.build-type=None \
    "--config-settings=cmake.define.CMAKE_CXX_FLAGS=-O1 -g -fno-omit-frame-pointer $flags -fno-sanitize-recover=all" .
# The interpreter of the environment without its .pth files, which name the package without the sanitizer. The
# library of C++ is loaded early so that the sanitizers see its exceptions. Python itself keeps memory to the end.
packages=$("$venv/bin/python" -c 'import site; print(site.getsitepackages()[0])')
interpreter=$("$venv/bin/python" -c 'import os, sys; print(os.path.realpath(sys.executable))')
LD_PRELOAD="$(g++ -print-file-name=$library) $(g++ -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS="suppressions=$PWD/tools/sanitizer_threads.supp" \
    PYTHONPATH="$build/package:$packages" exec "$interpreter" "$@"
