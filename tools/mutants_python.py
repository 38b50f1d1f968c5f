"""Mutation testing of graph rules and formulas in Python: would the tests notice a wrong operator or constant?

Each mutant is one small change of one file: a comparison, an operator of arithmetic or sets, `and` and `or`, a
negation, a constant, a statement left out. The tests of that file run in a forked process in which the module is
compiled from the changed source; the files on the disk stay as they are. A mutant is killed if a test fails, or takes
more than three minutes. Mutants are sampled by a hash of their text, so the same source gives the same ones.

``python tools/mutants_python.py`` prints the share killed for each file and lists the survivors, in
``build/mutants-python.jsonl`` too; ``--only meek,closure`` selects files, ``--per-file 100`` changes the size of the
sample.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import hashlib
import importlib.abc
import importlib.util
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "bitsep"
TIMEOUT = 180

GRAPHS = ("tests/graphs/test_equivalence.py", "tests/graphs/test_types.py")
PAGS = ("tests/graphs/test_pags.py", "tests/graphs/test_ancestral_claims.py")
TARGETS: dict[str, tuple[str, ...]] = {
    "graphs/meek.py": (*GRAPHS, "tests/graphs/test_claims.py", "tests/discovery/test_orientation.py"),
    "graphs/closure.py": (*GRAPHS, "tests/graphs/test_claims.py", "tests/discovery/test_orientation.py"),
    "graphs/equivalence.py": GRAPHS,
    "graphs/claims.py": ("tests/graphs/test_claims.py",),
    "graphs/separation.py": ("tests/graphs/test_separation.py", "tests/graphs/test_types.py"),
    "graphs/implications.py": ("tests/graphs/test_implications.py",),
    "graphs/intervention.py": ("tests/graphs/test_comparison.py",),
    "graphs/comparison.py": ("tests/graphs/test_comparison.py",),
    "graphs/pag_comparison.py": (*PAGS, "tests/graphs/test_comparison.py"),
    "graphs/pag_rules.py": PAGS,
    "graphs/ancestral.py": PAGS,
    "graphs/mag_completion.py": PAGS,
    "discovery/possible_d_sep.py": ("tests/discovery/test_fci.py",),
    "discovery/v_structures.py": ("tests/discovery/test_orientation.py",),
    "complexity/regret.py": ("tests/complexity",),
    "complexity/entropy.py": ("tests/complexity", "tests/independence/test_effects.py"),
    "independence/adjustment.py": ("tests/independence/test_adjustment.py",),
    "independence/effects/information.py": ("tests/independence/test_effects.py",),
    "independence/effects/odds_ratio.py": ("tests/independence/test_effects.py",),
    "independence/effects/cramer.py": ("tests/independence/test_effects.py",),
    "independence/effects/margins.py": ("tests/independence/test_effects.py",),
    "independence/power_analysis.py": ("tests/independence/test_power.py",),
    "scores/structure.py": ("tests/scores",),
    "scores/families.py": ("tests/scores",),
}
"""The files that are changed, and the tests of each."""

COMPARISONS = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
               ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is"}  # fmt: skip
OPERATORS = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.BitAnd: "|", ast.BitOr: "&",
             ast.LShift: ">>", ast.RShift: "<<", ast.BitXor: "|", ast.FloorDiv: "*", ast.Pow: "*"}  # fmt: skip


class Mutant(NamedTuple):
    line: int
    old: str
    new: str
    source: str


class _Text:
    """A source text, and replacements of its nodes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.raw = text.encode()
        self.starts = [0]
        for line in self.raw.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        begin = self.starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        return begin, self.starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]

    def of(self, node: ast.AST) -> str:
        begin, end = self.span(node)
        return self.raw[begin:end].decode()

    def with_(self, node: ast.AST, new: str) -> Mutant:
        begin, end = self.span(node)
        changed = (self.raw[:begin] + new.encode() + self.raw[end:]).decode()
        return Mutant(node.lineno, self.of(node), new, changed)  # type: ignore[attr-defined]


def mutants(text: str) -> Iterator[Mutant]:
    """All mutants of a source text."""
    source, tree = _Text(text), ast.parse(text)
    skipped = _not_executed(tree)
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = source.of(node.left), source.of(node.comparators[0])
            yield source.with_(node, f"({left} {COMPARISONS[type(node.ops[0])]} {right})")
        elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            yield source.with_(node, f"({source.of(node.left)} {OPERATORS[type(node.op)]} {source.of(node.right)})")
        elif isinstance(node, ast.AugAssign) and type(node.op) in OPERATORS:
            new = f"{source.of(node.target)} {OPERATORS[type(node.op)]}= {source.of(node.value)}"
            yield source.with_(node, new)
            yield source.with_(node, "pass")
        elif isinstance(node, ast.BoolOp):
            word = " and " if isinstance(node.op, ast.Or) else " or "
            yield source.with_(node, "(" + word.join(f"({source.of(value)})" for value in node.values) + ")")
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            yield source.with_(node, f"({source.of(node.operand)})")
        elif isinstance(node, ast.If | ast.IfExp | ast.While):
            yield source.with_(node.test, f"(not ({source.of(node.test)}))")
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
            yield source.with_(node, str(not node.value) if isinstance(node.value, bool) else f"({node.value} + 1)")
        elif isinstance(node, ast.Continue):
            yield source.with_(node, "break")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield source.with_(node, "pass")
        elif isinstance(node, ast.comprehension):
            for test in node.ifs:
                yield source.with_(test, "True")


def _not_executed(tree: ast.Module) -> set[ast.AST]:
    """Nodes of annotations, of code for type checkers, and of error messages."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            parts += [node.returns, *(one.annotation for one in arguments)]
        elif isinstance(node, ast.AnnAssign):
            parts.append(node.annotation)
        elif isinstance(node, ast.Raise) or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            parts.append(node)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id[0].isupper():
            parts.append(node)  # types, and tables of constants
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("TypeVar", "cast", "dataclass", "lru_cache"):
            parts.append(node)
        for part in parts:
            found |= set(ast.walk(part)) if part is not None else set()
    return found


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Loads one module from a changed source."""

    def __init__(self, module: str, path: Path, source: str) -> None:
        self.module, self.path, self.source = module, path, source

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        return importlib.util.spec_from_loader(name, self, origin=str(self.path)) if name == self.module else None

    def get_filename(self, name: str) -> str:
        return str(self.path) + ".mutant"  # so that no stored bytecode is used

    def get_data(self, path: str | os.PathLike[str]) -> bytes:
        return self.source.encode()


def passes(file: str, source: str, tests: tuple[str, ...]) -> bool:
    """Whether the tests pass with a changed source, in a forked process."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.alarm(TIMEOUT)
            module = "bitsep." + file.removesuffix(".py").replace("/", ".")
            sys.meta_path.insert(0, _Finder(module, SOURCE / file, source))
            import pytest

            with open(os.devnull, "w") as null, contextlib.redirect_stdout(null), contextlib.redirect_stderr(null):
                code = int(
                    pytest.main(
                        [
                            "-x",
                            "-q",
                            "-W",
                            "ignore::pytest.PytestAssertRewriteWarning",
                            "-p",
                            "no:cacheprovider",
                            "-m",
                            "not slow",
                            *tests,
                        ]
                    )
                )
        except BaseException:
            code = 1
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--per-file", type=int, default=8)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "mutants-python.jsonl")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    # Imported once, before the forks; nothing of bitsep, whose modules must see the changed one.
    import hypothesis  # noqa: F401

    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = os.devnull
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    total = killed_in_all = 0
    begin = time.monotonic()
    with arguments.out.open("w", encoding="utf-8") as log:
        for file, tests in TARGETS.items():
            if not any(part in file for part in arguments.only.split(",")):
                continue
            text = (SOURCE / file).read_text(encoding="utf-8")
            if not passes(file, text, tests):
                print(f"{file}: left out, its tests fail without a change, or take too long", flush=True)
                continue
            every = {mutant.source: mutant for mutant in mutants(text)}.values()
            ordered = sorted(every, key=lambda m: hashlib.sha256(f"{m.old} {m.new} {m.line}".encode()).digest())
            chosen = ordered[: arguments.per_file]
            killed = 0
            for mutant in chosen:
                survived = passes(file, mutant.source, tests)
                killed += not survived
                line = {"file": file, "line": mutant.line, "old": mutant.old, "new": mutant.new, "survived": survived}
                log.write(json.dumps(line, ensure_ascii=False) + "\n")
                log.flush()
                if survived:
                    print(f"  survived: {file}:{mutant.line}: {mutant.old!r} -> {mutant.new!r}", flush=True)
            total, killed_in_all = total + len(chosen), killed_in_all + killed
            print(f"{file}: {killed} of {len(chosen)} killed ({len(ordered)} mutants in all)", flush=True)
    share = killed_in_all / max(total, 1)
    print(f"{killed_in_all} of {total} killed ({share:.1%}) in {(time.monotonic() - begin) / 60:.1f} minutes")
    return 0 if share >= 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())
