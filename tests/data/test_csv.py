"""CSV files: types, quoting, line ends, encodings, long files."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import bitsep
from bitsep.data import Table
from bitsep.data.readers.csv_quotes import QuoteCheck
from bitsep.errors import FormatError


def levels(folder: Path, *fields: str) -> tuple[Any, ...]:
    path = folder / "f.csv"
    path.write_text("x,y\n" + "".join(f"{field},1\n" for field in fields), encoding="utf-8")
    return Table(path).levels("x")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (["2", "10", "-1", ""], (-1, 2, 10)),
        (["2.0", "10.0", "NA"], (2, 10)),
        (["1", "1.0", "1e0", "+1"], (1,)),
        ([" 2", "10 "], (2, 10)),
        (["0.5", "-.25", "1."], (-0.25, 0.5, 1)),
        (["inf", "1"], (1, float("inf"))),
        (["12345678901234567890123"], (12345678901234567890123,)),
        (["007", "7"], ("007", "7")),
        (["true", "false"], (False, True)),
        (["TRUE", "FALSE", "?"], (False, True)),
        (["True"], (True,)),
        (["yes", "no"], ("no", "yes")),
        (["T", "F"], ("F", "T")),
        (["true", "maybe"], ("maybe", "true")),
        (["1", "true"], ("1", "true")),
        (["1", "x", "10"], ("1", "10", "x")),
        (["2024-05-02", "2024-05-01"], ("2024-05-01", "2024-05-02")),
        (["1_000"], ("1_000",)),
        (["0x1f"], ("0x1f",)),
        (["٣"], ("٣",)),
        ([" a", "a"], (" a", "a")),
        (['"a,b"', '"say ""hi"""'], ("a,b", 'say "hi"')),
        (['"1"', "2"], (1, 2)),
        (['""', "a"], ("a",)),
        (['"line\nbreak"', "a"], ("a", "line\nbreak")),
        (["Größe", "🙂"], ("Größe", "🙂")),
    ],
)
def test_types_of_fields(fields: list[str], expected: tuple[Any, ...], tmp_path: Path) -> None:
    found = levels(tmp_path, *fields)
    assert found == expected
    assert list(map(type, found)) == list(map(type, expected))


def test_types_are_read_from_the_rows_that_count(tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_text("x,count\n1,3\n2,4\nheader,0\n")
    assert Table(tmp_path / "f.csv", weights="count").levels("x") == (1, 2)


@pytest.mark.parametrize(
    "raw",
    [
        b"a,b\r\n1,u\r\n2,v\r\n",
        b"a,b\r1,u\r2,v\r",
        b"a,b\n1,u\n2,v",
        b"\n\na,b\n\n1,u\n\n2,v\n\n",
        b"\xef\xbb\xbfa,b\n1,u\n2,v\n",
        b'"a","b"\n"1","u"\n"2","v"\n',
    ],
)
def test_ways_to_write_the_same_file(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_bytes(raw)
    table = Table(tmp_path / "f.csv")
    assert table.fingerprint() == Table({"a": [1, 2], "b": ["u", "v"]}).fingerprint()


def test_one_row_one_column(tmp_path: Path) -> None:
    for text in ("a\n1\n", "a\n1", "a,b\n1,2"):
        (tmp_path / "f.csv").write_text(text)
        assert Table(tmp_path / "f.csv").levels("a") == (1,)


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16", "utf-8", "UTF8", "utf_8"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "f.csv").write_bytes("größe,b\nä,1\nß,2\n".encode(encoding))
    assert Table(tmp_path / "f.csv", encoding=encoding).levels("größe") == ("ß", "ä")


def test_compressed(tmp_path: Path) -> None:
    raw = b"a,b\n1,2\n"
    (tmp_path / "f.csv.gz").write_bytes(gzip.compress(raw))
    (tmp_path / "f.csv.bz2").write_bytes(bz2.compress(raw))
    (tmp_path / "f.tsv.gz").write_bytes(gzip.compress(raw.replace(b",", b"\t")))
    for name in ("f.csv.gz", "f.csv.bz2", "f.tsv.gz"):
        assert Table(tmp_path / name).names == ("a", "b")


def test_many_blocks_agree_with_memory(tmp_path: Path) -> None:
    # Longer than one block of the reader, with line breaks inside quotes, and levels first seen late.
    n = 300_000
    rng = np.random.default_rng(7)
    late = np.where(np.arange(n) < n - 10, rng.integers(0, 3, n), 99)
    frame = pd.DataFrame({"late": late, "text": rng.choice(['plain "text"', "line\nbreak, comma", "ü" * 8], n)})
    frame["some"] = frame["late"].where(rng.random(n) < 0.7)
    frame["unique"] = [f"id{i}" for i in range(n)]
    frame.to_csv(tmp_path / "f.csv", index=False)
    assert (tmp_path / "f.csv").stat().st_size > 2 * (1 << 22)
    assert Table(tmp_path / "f.csv").fingerprint() == Table(frame).fingerprint()


def test_a_very_wide_file(tmp_path: Path) -> None:
    names = [f"{'v' * 2000}{i}" for i in range(3000)]
    (tmp_path / "f.csv").write_text(",".join(names) + "\n" + "1," * 2999 + "1\n")
    assert Table(tmp_path / "f.csv", columns=names[-1:]).levels(names[-1]) == (1,)


ROWS = "".join(f"{i % 2},{i % 3}\n" for i in range(20))
BOTH = pytest.mark.parametrize("read", [Table, lambda path: bitsep.scan(path).n_rows], ids=["table", "scan"])


@BOTH
@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        (f'a,b\n{ROWS}"x,1\n{ROWS}', 22, "not closed"),
        (f'a,b\n{ROWS}1,"x\n{ROWS}', 22, "not closed"),
        (f'a,b\n{ROWS}1,"x"', 0, ""),
        (f'a,b\n{ROWS}1,"x', 22, "not closed"),
        (f'a,b\n{ROWS}1,"', 22, "not closed"),
        (f'a,b\n{ROWS}1,"x""\n{ROWS}', 22, "not closed"),
        (f'a,b\n{ROWS}1,"x\n{ROWS}1,"y"\n{ROWS}', 22, "text after its closing quote"),
        (f'a,b\r\n1,"x"y\r\n{ROWS}', 2, "text after its closing quote"),
        (f'a,b\n"x\ny",1\n1,"x" \n{ROWS}', 4, "text after its closing quote"),
        (f'a,"b\n{ROWS}', 1, "not closed"),
        (f'\ufeff"a"x,b\n{ROWS}', 1, "text after its closing quote"),
        (f'\ufeff"a",b\n{ROWS}', 0, ""),
        (f'a,b\n"1,2\n{ROWS}', 2, "not closed"),
        (f'a,b\n{ROWS}5" x 3",1\n5"",2\n"",1\n"""",2\n{ROWS}', 0, ""),
        ("a,b\n" + '"v",1\n' * 1_500_000 + '"x,1\n' + ROWS, 1_500_002, "not closed"),
        ("a,b\n" + '1,"\n"\n' * 1_500_000 + '1,"x"y\n' + ROWS, 3_000_002, "text after its closing quote"),
        ('a,b\n1,"x\n' + ROWS * 400_000, 2, "not closed"),
        ("a,b\n" + ROWS * 60_000 + '1,"x\n' + ROWS * 400_000, 1_200_002, "not closed"),
    ],
)  # fmt: skip
def test_quotes_that_are_not_closed_are_errors(read: Any, text: str, line: int, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text(text, encoding="utf-8", newline="")
    if not line:
        read(path)
        return
    with pytest.raises(FormatError, match=rf"f.csv', line {line}: .*{fault}"):
        read(path)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@given(text=st.text('a",\n', max_size=30))
def test_quotes_are_checked_as_csv_does(size: int, text: str) -> None:
    try:
        list(csv.reader(io.StringIO(text, newline=""), strict=True))
        valid = True
    except csv.Error:
        valid = False
    check, line = QuoteCheck("f.csv", ","), 1
    blocks = [text.encode()[i : i + size] for i in range(0, len(text), size)]
    try:
        for block in [*blocks, b""]:
            check.read(block, line)
            line += block.count(b"\n")
        assert valid
    except FormatError:
        assert not valid


@BOTH
def test_a_first_record_with_a_huge_field_is_an_error(read: Any, tmp_path: Path) -> None:
    for text in (f"{'a' * 200_000},b\n{ROWS}", f"a,b\n{'a' * 200_000},1\n{ROWS}"):
        (tmp_path / "f.csv").write_text(text)
        with pytest.raises(FormatError, match="a field in the first rows has more than 131,072 characters"):
            read(tmp_path / "f.csv")
