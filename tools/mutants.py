"""Mutation testing of the native formulas: one operator or number is changed at a time, and a native test must fail.

python tools/mutants.py                 # a sample of the mutants of all formula files, the same in every run
python tools/mutants.py --only sci.cpp  # files whose path contains this
python tools/mutants.py --every         # all mutants

Works on a copy of native/ in build/mutants: the changed file is compiled and linked with the test programs and the
unchanged library of the preset `release`. A mutant is killed if it does not compile, or if one of the test programs of
its file fails or takes more than a minute. Results go to build/mutants/results.jsonl, which a run that was stopped
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
LIBRARY = ROOT / "build/native/release/libbitsep_core.a"
SAMPLE = 6  # mutants of a file
FLAGS = ["-std=c++20", "-O0", "-ffp-contract=off", "-D_GLIBCXX_ASSERTIONS"]

MATH, TESTS, SCORES = "native/src/math", "native/src/tests", "native/src/scores"
FAMILIES = [f"{TESTS}/{name}.cpp" for name in ("sci", "information", "significance", "calibrated")]

# The formula files, each with the test programs that are to notice a change; of a header the files to be compiled.
FILES: dict[str, tuple[list[str], list[str]]] = {
    f"{MATH}/complexity.cpp": (["golden_test", "complexity_test"], []),
    f"{MATH}/chi_square.cpp": (["golden_test", "chi_square_test", "calibrated_test"], []),
    f"{MATH}/log_factorial.cpp": (["log_factorial_test"], []),
    f"{TESTS}/sci.cpp": (["golden_test", "sci_test"], []),
    f"{TESTS}/information.cpp": (["golden_test", "information_test"], []),
    f"{TESTS}/significance.cpp": (["golden_test", "significance_test"], []),
    f"{TESTS}/record.cpp": (["record_test"], []),
    f"{TESTS}/calibrated.cpp": (["golden_test", "calibrated_test"], []),
    f"{TESTS}/exact_tables.cpp": (["golden_test", "exact_tables_test"], []),
    f"{TESTS}/x2_law.cpp": (["golden_test", "calibrated_test"], []),
    f"{TESTS}/x2_moments.cpp": (["golden_test", "x2_moments_test"], []),
    f"{TESTS}/u_moments.cpp": (["golden_test"], []),
    f"{TESTS}/permutation.cpp": (["permutation_test"], []),
    f"{SCORES}/maximum_likelihood.cpp": (["golden_test", "maximum_likelihood_test"], []),
    f"{SCORES}/bayesian.cpp": (["golden_test", "bayesian_test"], []),
    f"{TESTS}/x2_moments.hpp": (
        ["x2_moments_test"],
        [f"{TESTS}/x2_moments.cpp", "native/tests/tests/x2_moments_test.cpp"],
    ),
    f"{TESTS}/pearson.hpp": (["golden_test", "significance_test"], [f"{TESTS}/significance.cpp"]),
    f"{TESTS}/strata.hpp": (["golden_test", "information_test", "sci_test", "significance_test"], FAMILIES),
    f"{SCORES}/rows.hpp": (["golden_test", "maximum_likelihood_test"], [f"{SCORES}/maximum_likelihood.cpp"]),
    "native/include/bitsep/fixed_point.hpp": (["fixed_point_test"], ["native/tests/math/fixed_point_test.cpp"]),
}

# What is replaced by what; patterns match operators between spaces, as clang-format writes them.
CHANGES = [
    (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" / ", " * "), (r" \+= ", " -= "), (r" -= ", " += "),
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "),
    (r" && ", " || "), (r" \|\| ", " && "), (r"std::min\(", "std::max("), (r"std::max\(", "std::min("),
    (r"(?<![\w.'])(\d+)(?![\w.'])", "plus one"),
]  # fmt: skip


def mutants(text: str) -> Iterator[tuple[int, int, str]]:
    """Begin, end and replacement of every change; not in comments, templates, #include, assertions or errors."""
    place = 0
    for line in text.splitlines(keepends=True):
        code = line.split("//")[0]
        if not re.match(r"\s*(#|template|static_assert|using|throw|for \(int|class|struct|namespace)", code):
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


def compile_file(file: str, to: Path) -> bool:
    """Compile a file of the copy; whether it compiles."""
    folders = [f"-I{WORK / folder}" for folder in ("native/include", "native/src", "native/tests")]
    return run(["c++", *FLAGS, *folders, "-c", str(WORK / file), "-o", str(to)], 600)


def killed(files: list[str], programs: list[str], library: Path) -> bool:
    """Compile the files, link them with each test program and the unchanged library, and run it; whether one fails."""
    objects = [WORK / f"changed{number}.o" for number in range(len(files))]
    if not all(compile_file(file, to) for file, to in zip(files, objects, strict=True)):
        return True
    for program in programs:
        tests = [WORK / "main.o", *([] if program_file(program) in files else [WORK / f"{program}.o"])]
        # What the changed files define comes first: the library only adds what is missing.
        link = ["c++", *objects, *tests, library, "-pthread", "-o", WORK / program]
        if not run(list(map(str, link)), 600) or not run([str(WORK / program)], 60):
            return True
    return False


def program_file(program: str) -> str:
    """The source of a test program."""
    return str(next((ROOT / "native/tests").rglob(f"{program}.cpp")).relative_to(ROOT))


def prepare(library: Path) -> None:
    """Build the unchanged library, copy the sources, and compile the tests; the unchanged files must pass."""
    build = ["cmake", "--build", "--preset", "release", "--target", "bitsep_core"]
    for step in (["cmake", "--preset", "release"], build) if library == LIBRARY else ():
        subprocess.run(step, check=True, capture_output=True, cwd=ROOT)
    shutil.copytree(ROOT / "native", WORK / "native", dirs_exist_ok=True)
    compile_file("native/tests/main.cpp", WORK / "main.o")
    for program in sorted({program for programs, _ in FILES.values() for program in programs}):
        compile_file(program_file(program), WORK / f"{program}.o")
        if killed([], [program], library):
            sys.exit(f"The unchanged library does not pass {program}.")


def main() -> int:
    """Run the command line; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="part of the path of a file")
    parser.add_argument("--every", action="store_true", help="all mutants, not a sample")
    parser.add_argument(
        "--library", type=Path, default=LIBRARY, help="built already; by default by the preset `release`"
    )
    asked = parser.parse_args()
    prepare(asked.library)
    results = WORK / "results.jsonl"
    known = {}
    if results.exists():
        known = {(r["file"], r["begin"], r["new"], r["text"]): r["killed"] for r in map(json.loads, results.open())}
    alive = tried = 0
    for file, (programs, others) in FILES.items():
        if asked.only not in file:
            continue
        path, original = WORK / file, (ROOT / file).read_text()
        chosen = list(mutants(original))
        if not asked.every and len(chosen) > SAMPLE:
            chosen = sorted(random.Random(file).sample(chosen, SAMPLE))
        if killed(others or [file], programs, asked.library):
            sys.exit(f"The unchanged {file} does not pass its tests.")
        for begin, end, new in chosen:
            number = original.count("\n", 0, begin)
            line = original.splitlines()[number].strip()
            key = (file, begin, new, line)
            if key not in known:
                path.write_text(original[:begin] + new + original[end:])
                try:
                    known[key] = killed(others or [file], programs, asked.library)
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
