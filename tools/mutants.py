"""Mutation testing of the native formulas: one operator or number is changed at a time, and a native test must fail.

python tools/mutants.py                 # a sample of the mutants of all formula files, the same in every run
python tools/mutants.py --only sci.cpp  # files whose path contains this
python tools/mutants.py --every         # all mutants

Works on a copy of native/ in build/mutants. A mutant is killed if it does not compile, or if one of the test programs
of its file fails or takes more than a minute. Results go to build/mutants/results.jsonl, which a run that was stopped
continues; remove the file after a change of the tests.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORK = ROOT / "build/mutants"
BUILD = WORK / "build"
SAMPLE = 6  # mutants of a file

# The formula files, each with the test programs that are to notice a change.
FILES = {
    "native/src/math/complexity.cpp": ["golden_test", "complexity_test"],
    "native/src/math/chi_square.cpp": ["golden_test", "chi_square_test", "calibrated_test"],
    "native/src/math/log_factorial.cpp": ["log_factorial_test"],
    "native/src/tests/sci.cpp": ["golden_test", "sci_test"],
    "native/src/tests/information.cpp": ["golden_test", "information_test"],
    "native/src/tests/significance.cpp": ["golden_test", "significance_test"],
    "native/src/tests/record.cpp": ["record_test"],
    "native/src/tests/calibrated.cpp": ["golden_test", "calibrated_test"],
    "native/src/tests/exact_tables.cpp": ["golden_test", "exact_tables_test"],
    "native/src/tests/x2_law.cpp": ["golden_test", "calibrated_test"],
    "native/src/tests/x2_moments.cpp": ["golden_test", "x2_moments_test"],
    "native/src/tests/permutation.cpp": ["permutation_test"],
    "native/src/scores/maximum_likelihood.cpp": ["golden_test", "maximum_likelihood_test"],
    "native/src/scores/bayesian.cpp": ["golden_test", "bayesian_test"],
}

# What is replaced by what; patterns match operators between spaces, as clang-format writes them.
CHANGES = [
    (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" / ", " * "), (r" \+= ", " -= "), (r" -= ", " += "),
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "),
    (r" && ", " || "), (r" \|\| ", " && "), (r"std::min\(", "std::max("), (r"std::max\(", "std::min("),
    (r"(?<![\w.'])(\d+)(?![\w.'])", "plus one"),
]  # fmt: skip


def mutants(text: str) -> Iterator[tuple[int, int, str]]:
    """Begin, end and replacement of every change; not in comments, templates, #include or static assertions."""
    place = 0
    for line in text.splitlines(keepends=True):
        code = line.split("//")[0]
        if not re.match(r"\s*(#|template|static_assert|using|for \(int|class|struct|namespace)", code):
            for pattern, replacement in CHANGES:
                for match in re.finditer(pattern, code):
                    new = str(int(match[1]) + 1) if replacement == "plus one" else replacement
                    yield place + match.start(), place + match.end(), new
        place += len(line)


def run(command: list[str], limit: float) -> bool:
    """Whether a command succeeds within so many seconds."""
    try:
        return subprocess.run(command, capture_output=True, timeout=limit, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def killed(programs: list[str]) -> bool:
    """Build the programs and run them; whether one of them fails."""
    if not run(["cmake", "--build", str(BUILD), "--target", *programs], 600):
        return True
    return not all(run([str(BUILD / program)], 60) for program in programs)


def configure() -> None:
    """Copy the sources and build the unchanged library."""
    WORK.mkdir(parents=True, exist_ok=True)
    for name in ("native", "CMakeLists.txt"):
        source, target = ROOT / name, WORK / name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            shutil.copy2(source, target)
    for file in FILES:  # the copy is as old as its source, and what was built last may be a mutant
        (WORK / file).touch()
    options = ["-DBITSEP_TESTS=ON", "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O0"]
    subprocess.run(["cmake", "-S", WORK, "-B", BUILD, "-G", "Ninja", *options], check=True, capture_output=True)
    every = sorted({program for programs in FILES.values() for program in programs})
    if killed(every):
        sys.exit("The unchanged library does not pass its tests.")


def main() -> int:
    """Run the command line; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="part of the path of a file")
    parser.add_argument("--every", action="store_true", help="all mutants, not a sample")
    asked = parser.parse_args()
    configure()
    results = WORK / "results.jsonl"
    known = {}
    if results.exists():
        known = {(r["file"], r["begin"], r["new"], r["text"]): r["killed"] for r in map(json.loads, results.open())}
    alive = tried = 0
    for file, programs in FILES.items():
        if asked.only not in file:
            continue
        path, original = WORK / file, (ROOT / file).read_text()
        chosen = list(mutants(original))
        if not asked.every and len(chosen) > SAMPLE:
            chosen = sorted(random.Random(file).sample(chosen, SAMPLE))
        for begin, end, new in chosen:
            number = original.count("\n", 0, begin)
            line = original.splitlines()[number].strip()
            key = (file, begin, new, line)
            if key not in known:
                path.write_text(original[:begin] + new + original[end:])
                try:
                    known[key] = killed(programs)
                finally:
                    path.write_text(original)
                entry = {"file": file, "begin": begin, "new": new, "text": line, "killed": known[key]}
                with results.open("a") as out:
                    out.write(json.dumps(entry) + "\n")
            tried += 1
            if not known[key]:
                alive += 1
                print(
                    f"survived: {file}:{number + 1}: '{original[begin:end].strip()}' -> '{new.strip()}' in {line}",
                    flush=True,
                )
    share = (tried - alive) / tried if tried else 1
    print(f"{tried - alive} of {tried} mutants killed ({share:.1%})")
    return 0 if share >= 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())
