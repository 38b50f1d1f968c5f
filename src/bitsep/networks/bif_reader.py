"""Reading BIF, the Bayesian Interchange Format 0.15.

::

    network NAME { property …; }
    variable NAME { type discrete [ 2 ] { LEVEL, LEVEL }; property …; }
    probability ( CHILD | PARENT, PARENT ) {
      (LEVEL, LEVEL) 0.1, 0.9;      one row per combination of the parents' levels
      default 0.5, 0.5;             for the combinations without a row
      table 0.1, 0.9;               all probabilities; with parents, the level of the child changes slowest
      property …;
    }

Names and levels are words or text in double quotes; commas are optional, as in the format; properties are ignored.
Comments are those of C++. Blocks after the first can be in any order.
"""

from __future__ import annotations

import gzip
import io
import math
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

import numpy as np
import numpy.typing as npt

from bitsep.checks import shown
from bitsep.errors import ArgumentError, FormatError, ReadError, UnsupportedTypeError, cause
from bitsep.graphs.exchange.tokens import Token
from bitsep.naming import did_you_mean
from bitsep.networks.bif_tokens import BifCursor, bif_tokens
from bitsep.networks.network import Network
from bitsep.networks.probabilities import normalized

_MAX_BYTES = 1 << 26  # of the text; the largest known networks have a few megabytes
_MAX_ENTRIES = 1 << 27  # of one table, which then takes a gigabyte
_MAX_PARENTS = 30  # arrays of NumPy have at most 32 axes in older releases


def read_bif(source: str | os.PathLike[str] | TextIO) -> Network:
    """Read a Bayesian network from a BIF file.

    Parameters
    ----------
    source : path or text stream
        A file (UTF-8; gzip-compressed files are recognized), or an object whose `read()` returns text.

    Returns
    -------
    Network

    Raises
    ------
    FormatError
        If the file is not valid; the message has line, column and what was expected.
    ReadError
        If the file cannot be opened or read.

    Examples
    --------
    >>> import io
    >>> read_bif(io.StringIO('''
    ... network coin { }
    ... variable side { type discrete [ 2 ] { heads, tails }; }
    ... probability ( side ) { table 0.5, 0.5; }
    ... '''))
    Network('coin', 1 variable, 0 edges, 1 parameter)
    """
    return _Parser(bif_tokens(_text(source))).network()


def _text(source: str | os.PathLike[str] | TextIO) -> str:
    if not isinstance(source, str | os.PathLike):
        if not hasattr(source, "read"):
            raise UnsupportedTypeError(f"source: must be a path or a text stream, got {type(source).__name__}.")
        text = source.read()
        if not isinstance(text, str):
            raise UnsupportedTypeError("source: the stream gives bytes.", hint="Open it in text mode.")
        return text
    try:
        with Path(source).open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
        if data[:2] == b"\x1f\x8b":
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(_MAX_BYTES + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise FormatError(f"source: the compressed file {str(source)!r} is damaged: {cause(error)}.") from None
    except (OSError, ValueError) as error:
        raise ReadError(f"source: {str(source)!r} cannot be read: {cause(error)}.") from error
    if len(data) > _MAX_BYTES:
        raise FormatError(
            f"source: {str(source)!r} has more than {_MAX_BYTES:,} bytes of text, too many for a network."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError(f"source: {str(source)!r} is not UTF-8 text.", hint="Convert it to UTF-8.") from None


@dataclass(slots=True)
class _Block:
    """A probability block as in the file; names are resolved after all blocks are read."""

    child: Token
    parents: list[Token]
    rows: list[tuple[Token, list[Token], list[float]]] = field(default_factory=list)
    single: dict[str, tuple[Token, list[float]]] = field(default_factory=dict)  # "table" and "default"


class _Parser(BifCursor):
    """A recursive descent parser with a method per part of the grammar."""

    def __init__(self, tokens: Iterator[Token]) -> None:
        super().__init__(tokens)
        self.levels: dict[str, dict[str, int]] = {}  # the code of each level
        self.blocks: dict[str, _Block] = {}
        self.declared: dict[str, Token] = {}

    def network(self) -> Network:
        self.keyword("network")
        name = self.word("the network's name").text
        self.sign("{")
        while not self.accept("}"):
            self.property("'property' or '}'")
        while self.peek().kind != "end":
            start = self.keyword("variable", "probability")
            self.variable() if start.text == "variable" else self.probability()
        for variable, token in self.declared.items():
            if variable not in self.blocks:
                raise token.error(f"the variable {variable!r} has no probability block")
        parents: dict[str, list[str]] = {}
        cpts: dict[str, npt.NDArray[np.float64]] = {}
        for variable, block in self.blocks.items():
            self.known(block.child)
            for parent in block.parents:
                self.known(parent)
            parents[variable] = [parent.text for parent in block.parents]
            cpts[variable] = self.cpt(block)
        try:
            return Network({v: list(known) for v, known in self.levels.items()}, parents, cpts, name=name)
        except ArgumentError as error:  # an error without a position in the file: a cycle
            raise FormatError(error.message, hint=error.hint) from None

    def variable(self) -> None:
        name = self.word("the variable's name")
        if name.text in self.levels:
            raise name.error(f"the variable {name.text!r} is declared twice")
        levels: dict[str, int] | None = None
        self.sign("{")
        while not self.accept("}"):
            if self.peek().text != "type":
                self.property("'type', 'property' or '}'")
                continue
            token = self.keyword("type")
            if levels is not None:
                raise token.error(f"the variable {name.text!r} has a second type")
            levels = self.type()
        if levels is None:
            raise name.error(f"the variable {name.text!r} has no type; expected 'type discrete [ … ] {{ … }};'")
        self.declared[name.text] = name
        self.levels[name.text] = levels

    def type(self) -> dict[str, int]:
        kind = self.word("'discrete'")
        if kind.text != "discrete":
            raise kind.error(f"expected 'discrete', the only type supported, got {kind.text!r}")
        self.sign("[")
        size = self.word("the number of levels")
        self.sign("]")
        self.sign("{")
        levels: dict[str, int] = {}
        while not self.accept("}"):
            level = self.word("a level or '}'")
            if level.text in levels:
                raise level.error(f"the level {level.text!r} occurs twice")
            levels[level.text] = len(levels)
            self.accept(",")
        self.sign(";")
        if size.text.lstrip("0") != str(len(levels) or ""):
            raise size.error(f"expected {len(levels)}, the number of levels listed, got {size.text!r}")
        if not levels:
            raise size.error("a variable needs at least one level")
        return levels

    def probability(self) -> None:
        self.sign("(")
        block = _Block(self.word("a variable"), [])
        seen = {block.child.text}
        if not self.accept("|"):
            self.accept(",")
        while not self.accept(")"):
            parent = self.word("a parent or ')'")
            if parent.text in seen:
                raise parent.error(f"{parent.text!r} occurs twice")
            seen.add(parent.text)
            block.parents.append(parent)
            self.accept(",")
        if block.child.text in self.blocks:
            raise block.child.error(f"the variable {block.child.text!r} has a second probability block")
        self.blocks[block.child.text] = block
        self.sign("{")
        while not self.accept("}"):
            self.entry(block)

    def entry(self, block: _Block) -> None:
        token = self.peek()
        if self.accept("("):
            levels = []
            while not self.accept(")"):
                levels.append(self.word("a level or ')'"))
                self.accept(",")
            block.rows.append((token, levels, self.numbers()))
        elif token.text in ("table", "default") and token.kind == "word":
            self.advance()
            if token.text in block.single:
                raise token.error(f"a second {token.text!r} in the block of {block.child.text!r}")
            block.single[token.text] = (token, self.numbers())
        else:
            self.property("'(', 'table', 'default', 'property' or '}'")

    def numbers(self) -> list[float]:
        values = []
        while not self.accept(";"):
            token = self.word("a number or ';'")
            try:
                value = float(token.text) if token.kind == "word" and "_" not in token.text else -1.0
            except ValueError:
                value = -1.0
            if not 0.0 <= value <= 1.0 + 1e-6:
                raise token.error(f"expected a probability between 0 and 1, got {token.text!r}")
            values.append(value)
            self.accept(",")
        return values

    def cpt(self, block: _Block) -> npt.NDArray[np.float64]:
        """The table of a block: axes of the parents, then the axis of the child."""
        child, size = block.child.text, len(self.levels[block.child.text])
        shape = tuple(len(self.levels[parent.text]) for parent in block.parents)
        entries = math.prod(shape) * size
        if len(shape) > _MAX_PARENTS or entries > _MAX_ENTRIES:
            raise block.child.error(
                f"the table of {child!r} is too large; at most {_MAX_PARENTS} parents and {_MAX_ENTRIES:,} "
                f"probabilities are allowed, got {len(shape)} and {shown(entries)}"
            )
        table = np.full((*shape, size), np.nan)
        if "table" in block.single:
            token, values = block.single["table"]
            if block.rows or "default" in block.single:
                raise token.error(
                    f"the block of {child!r} has a 'table' and other entries; only one of them is allowed"
                )
            self.check_count(token, values, table.size, child)
            table = np.moveaxis(np.array(values).reshape(size, *shape), 0, -1)
            return self.checked(token, table, child)
        if "default" in block.single:
            token, values = block.single["default"]
            self.check_count(token, values, size, child)
            table[...] = self.checked(token, np.array(values), child)
        seen = set()
        for token, levels, values in block.rows:
            if len(levels) != len(block.parents):
                raise token.error(f"expected {len(block.parents)} levels, one per parent, got {len(levels)}")
            stratum = tuple(self.code(level, parent.text) for level, parent in zip(levels, block.parents, strict=True))
            if stratum in seen:
                raise token.error(f"a second row for ({', '.join(level.text for level in levels)})")
            seen.add(stratum)
            self.check_count(token, values, size, child)
            table[stratum] = self.checked(token, np.array(values), child)
        if (holes := np.argwhere(np.isnan(table[..., 0]))).size or (not shape and np.isnan(table).any()):
            names = [
                list(self.levels[p.text])[i] for p, i in zip(block.parents, holes[0] if shape else (), strict=True)
            ]
            where = f"row for ({', '.join(names)}) and no default" if names else "'table'"
            raise block.child.error(f"the block of {child!r} has no {where}")
        return table

    def code(self, level: Token, parent: str) -> int:
        known = self.levels[parent]
        if level.text not in known:
            raise level.error(f"{parent!r} has no level {level.text!r}", hint=did_you_mean(level.text, known))
        return known[level.text]

    @staticmethod
    def check_count(token: Token, values: list[float], expected: int, child: str) -> None:
        if len(values) != expected:
            raise token.error(f"expected {expected} probabilities of {child!r} here, got {len(values)}")

    @staticmethod
    def checked(token: Token, table: npt.NDArray[np.float64], child: str) -> npt.NDArray[np.float64]:
        try:
            return normalized(table, f"probabilities of {child!r}")
        except ArgumentError as error:
            raise token.error(error.message.removesuffix(".")) from None

    def known(self, name: Token) -> None:
        if name.text not in self.levels:
            raise name.error(f"no variable {name.text!r}", hint=did_you_mean(name.text, self.levels))

    def property(self, expected: str) -> None:
        token = self.peek()
        if token.text != "property" or token.kind != "word":
            raise self.expected(expected)
        while not self.accept(";"):
            if self.peek().kind == "end":
                raise token.error("this property is not closed; expected ';'")
            self.advance()
