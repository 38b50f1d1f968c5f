"""Mutation testing of graph rules, formulas and readers in Python: would the tests notice a wrong operator or constant?

Each mutant is one small change of one file: a comparison, an operator of arithmetic or sets, `and` and `or`, a
negation, a constant, a statement left out. The tests of that file are collected once and run in a forked process per
mutant, the fastest first, in which the functions of the module have the code of the changed source; the files on the
disk stay as they are. A mutant is killed if a test fails, or if the tests take more than three times the processor time
that they take without a change, and five seconds. Mutants are sampled by a hash of their text, so the same source gives
the same ones.

``python tools/mutants_python.py`` prints the share killed for each file and lists the survivors, in
``build/mutants-python.jsonl`` too; ``--only meek,closure`` selects files, ``--per-file 100`` changes the size of the
sample.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import hashlib
import json
import math
import os
import resource
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import hypothesis
import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "bitsep"
OPTIONS = ("-q", "-s", "--tb=no", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning",
           "--hypothesis-profile=mutants", "-m", "not slow")  # fmt: skip
SECONDS = 60  # of processor time for the tests without a change

GRAPHS = ("tests/graphs/test_equivalence.py", "tests/graphs/test_types.py")
PAGS = ("tests/graphs/test_pags.py", "tests/graphs/test_ancestral_claims.py")
TARGETS: dict[str, tuple[str, ...]] = {
    "graphs/meek.py": (*GRAPHS, "tests/graphs/test_claims.py", "tests/discovery/test_orientation.py"),
    "graphs/closure.py": (*GRAPHS, "tests/graphs/test_claims.py", "tests/discovery/test_orientation.py"),
    "graphs/equivalence.py": (*GRAPHS, "tests/graphs/test_comparison.py"),
    "graphs/claims.py": ("tests/graphs/test_claims.py",),
    "graphs/separation.py": ("tests/graphs/test_separation.py", "tests/graphs/test_types.py"),
    "graphs/implications.py": ("tests/graphs/test_implications.py",),
    "graphs/intervention.py": ("tests/graphs/test_comparison.py",),
    "graphs/comparison.py": ("tests/graphs/test_comparison.py",),
    "graphs/pag_comparison.py": (*PAGS, "tests/graphs/test_comparison.py"),
    "graphs/pag_rules.py": PAGS,
    "graphs/ancestral.py": PAGS,
    "graphs/ancestral_claims.py": PAGS,
    "graphs/mag_completion.py": PAGS,
    "graphs/mag_search.py": (*PAGS, "tests/discovery/test_mark_claims.py"),
    "discovery/mark_claims.py": ("tests/discovery/test_mark_claims.py", "tests/discovery/test_fci.py"),
    "discovery/possible_d_sep.py": ("tests/discovery/test_possible_d_sep.py", "tests/discovery/test_fci.py"),
    "discovery/v_structures.py": ("tests/discovery/test_orientation.py",),
    "data/readers/csv_quotes.py": ("tests/data/test_csv.py",),
    "complexity/regret.py": ("tests/complexity/test_regret.py",),
    "complexity/entropy.py": ("tests/complexity/test_entropy.py",),
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


class _Runner:
    """A plugin of pytest: collects the tests once, and runs them in a forked process for each mutant."""

    def __init__(self, file: str, per_file: int) -> None:
        self.module = import_module("bitsep." + file.removesuffix(".py").replace("/", "."))
        self.text = (SOURCE / file).read_text(encoding="utf-8")
        every = {mutant.source: mutant for mutant in mutants(self.text)}.values()
        ordered = sorted(every, key=lambda m: hashlib.sha256(f"{m.old} {m.new} {m.line}".encode()).digest())
        self.number = len(ordered)
        self.chosen = ordered[:per_file]
        self.unchanged_passes = False
        self.survived: list[bool] = []
        self.seconds = SECONDS  # of processor time for the tests of one mutant

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        times = self.run(session, self.text)
        self.unchanged_passes = bool(times)
        if times:
            self.seconds = math.ceil(3 * sum(times)) + 5
            order = sorted(range(len(times)), key=times.__getitem__)
            session.items[:] = [session.items[k] for k in order]
            self.survived = [self.run(session, mutant.source) is not None for mutant in self.chosen]
        return True

    def run(self, session: pytest.Session, source: str) -> list[float] | None:
        """The processor time of each test with this source of the module; None if one fails."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            code = 1
            with contextlib.suppress(BaseException):
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, 1)
                os.dup2(null, 2)
                resource.setrlimit(resource.RLIMIT_CPU, (self.seconds, self.seconds))
                replace_code(self.module, source)
                times = []
                for item, following in zip(session.items, [*session.items[1:], None], strict=True):
                    begin = time.process_time()
                    if not session.testsfailed:
                        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                    times.append(time.process_time() - begin)
                os.write(writing, json.dumps(times).encode())
                code = min(session.testsfailed, 1)
            os._exit(code)
        os.close(writing)
        with os.fdopen(reading, "rb") as pipe:
            text = pipe.read()
        return json.loads(text) if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 else None


def replace_code(module: ModuleType, source: str) -> None:
    """Give the functions, methods and plain constants of a module those of another source.

    The functions stay the same objects, so modules that have imported them by name run the new code too.
    """
    new = ModuleType(module.__name__)
    new.__file__ = module.__file__
    exec(compile(source, str(module.__file__), "exec"), vars(new))
    for name, value in list(vars(new).items()):
        if isinstance(value, bool | int | float | str | tuple | frozenset) and not name.startswith("__"):
            setattr(module, name, value)
        else:
            _replace(vars(module).get(name), value, module.__name__)


def _replace(old: Any, new: Any, module: str) -> None:
    if isinstance(old, type) and isinstance(new, type):
        if old.__module__ == module:
            for name, value in vars(new).items():
                _replace(vars(old).get(name), value, module)
    elif isinstance(old, FunctionType) and isinstance(new, FunctionType):
        if old.__module__ == module and len(old.__code__.co_freevars) == len(new.__code__.co_freevars):
            old.__code__, old.__defaults__, old.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__
            _replace(getattr(old, "__wrapped__", None), getattr(new, "__wrapped__", None), module)
    else:
        if hasattr(old, "cache_clear"):
            old.cache_clear()
        for inner in ("__wrapped__", "__func__", "fget", "func"):
            if hasattr(old, inner) and hasattr(new, inner):
                _replace(getattr(old, inner), getattr(new, inner), module)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--per-file", type=int, default=8)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "mutants-python.jsonl")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    # A failure is enough; the smallest example of it is not needed. The same examples in every run.
    hypothesis.settings.register_profile(
        "mutants",
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
    )
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    total = killed_in_all = 0
    begin = time.monotonic()
    with arguments.out.open("w", encoding="utf-8") as log:
        for file, tests in TARGETS.items():
            if not any(part in file for part in arguments.only.split(",")):
                continue
            runner = _Runner(file, arguments.per_file)
            with open(os.devnull, "w") as null, contextlib.redirect_stdout(null), contextlib.redirect_stderr(null):
                pytest.main([*OPTIONS, *tests], plugins=[runner])
            if not runner.unchanged_passes:
                print(f"{file}: left out, its tests fail without a change, or take too long", flush=True)
                continue
            for mutant, survived in zip(runner.chosen, runner.survived, strict=True):
                line = {"file": file, "line": mutant.line, "old": mutant.old, "new": mutant.new, "survived": survived}
                log.write(json.dumps(line, ensure_ascii=False) + "\n")
                if survived:
                    print(f"  survived: {file}:{mutant.line}: {mutant.old!r} -> {mutant.new!r}", flush=True)
            log.flush()
            killed = len(runner.chosen) - sum(runner.survived)
            total, killed_in_all = total + len(runner.chosen), killed_in_all + killed
            print(f"{file}: {killed} of {len(runner.chosen)} killed ({runner.number} mutants in all)", flush=True)
    share = killed_in_all / max(total, 1)
    print(f"{killed_in_all} of {total} killed ({share:.1%}) in {(time.monotonic() - begin) / 60:.1f} minutes")
    return 0 if share >= 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())
