"""CSV files in every dialect: delimiters, decimal commas, separators of thousands, comments, no header."""

from __future__ import annotations

import csv
import gzip
import io
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bitsep
from bitsep.data import Table
from bitsep.errors import ArgumentError, DataError, FormatError, ReadError

DELIMITERS = [",", ";", "\t", "|"]


def written(folder: Path, text: str, name: str = "f.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def both(path: Path | str, **options: Any) -> Table:
    """The table in memory; the same file in a scan must have the same fingerprint."""
    table = Table(path, **options)
    assert bitsep.scan(path, **options).fingerprint() == table.fingerprint()
    return table


@pytest.mark.parametrize("delimiter", DELIMITERS)
@pytest.mark.parametrize(
    "rows",
    [
        ["a{d}b", "1{d}x", "2{d}y"],
        ["a{d}b{d}c", "1{d}x, y{d}2", "2{d}z; u{d}3"],
        ["\n\na{d}b", "1{d}x"],
        ['"a{d}1"{d}b', '"u{d}v"{d}2'],
        ["a{d}b", "1{d}"],
    ],
)
def test_a_delimiter_is_recognized(delimiter: str, rows: list[str], tmp_path: Path) -> None:
    quoted = [row.replace("{d}", delimiter) for row in rows]
    if delimiter in ",;" and "x, y" in rows[1]:  # fields with the delimiter have to be quoted
        quoted[1:] = [f'1{delimiter}"x, y"{delimiter}2', f'2{delimiter}"z; u"{delimiter}3']
    path = written(tmp_path, "\n".join(quoted) + "\n")
    table = both(path)
    assert len(table.names) == quoted[0].replace(f"a{delimiter}1", "").count(delimiter) + 1
    assert both(path, delimiter=delimiter).fingerprint() == table.fingerprint()


def test_decimal_commas_do_not_make_a_delimiter(tmp_path: Path) -> None:
    text = "size, m;weight;name\n1,5;2,25;x\n2,5;3,25;y\n"
    assert both(written(tmp_path, text)).names == ("size, m", "weight", "name")
    assert both(written(tmp_path, text), decimal=",").levels("weight") == (2.25, 3.25)


def test_a_single_column_needs_no_delimiter(tmp_path: Path) -> None:
    assert both(written(tmp_path, "a b\nx\ny\n")).names == ("a b",)
    assert both(written(tmp_path, "a b\nx\ny\n"), delimiter=";").names == ("a b",)


def test_other_delimiters_and_extensions(tmp_path: Path) -> None:
    assert both(written(tmp_path, "a~b\n1~2\n"), delimiter="~").names == ("a", "b")
    assert both(written(tmp_path, "a;x\tb\n1;x\t2\n", "f.tsv")).names == ("a;x", "b")
    (tmp_path / "f.csv.gz").write_bytes(gzip.compress(b"a;b\n1;2\n"))
    assert both(tmp_path / "f.csv.gz").names == ("a", "b")
    (tmp_path / "u.csv").write_bytes("ä;b\n1;2\n".encode("utf-16"))
    assert both(tmp_path / "u.csv", encoding="utf-16").names == ("ä", "b")


@pytest.mark.parametrize(
    ("fields", "decimal", "thousands", "expected"),
    [
        (["1.234,56", "7", "-0,5"], ",", ".", (-0.5, 7, 1234.56)),
        (["1,234.5", "1,234,567", "12"], ".", ",", (12, 1234.5, 1234567)),
        (["1 234", "1\u202f235", "1\u00a0236,5"], ",", " ", (1234, 1235, 1236.5)),
        (["1'234", "5"], ".", "'", (5, 1234)),
        (["1,0", "1"], ",", None, (1,)),
        (["1,5e3", ",25"], ",", None, (0.25, 1500)),
        (["12,34", "1"], ".", ",", ("1", "12,34")),  # not groups of three digits
        (["0,123", "1"], ".", ",", ("0,123", "1")),
        (["1,234"], ".", None, ("1,234",)),
        (["007,5"], ",", None, ("007,5",)),
    ],
)
def test_numbers(
    fields: list[str], decimal: str, thousands: str | None, expected: tuple[Any, ...], tmp_path: Path
) -> None:
    path = written(tmp_path, "x;y\n" + "".join(f"{field};1\n" for field in fields))
    levels = both(path, decimal=decimal, thousands=thousands, delimiter=";").levels("x")
    assert levels == expected
    assert list(map(type, levels)) == list(map(type, expected))


def test_weights_with_separators(tmp_path: Path) -> None:
    path = written(tmp_path, "x;n\na;1.000\nb;2\n")
    assert both(path, weights="n", decimal=",", thousands=".").n == 1002


@pytest.mark.parametrize(
    ("fields", "options"),
    [
        (["1.5", "2,5", "3"], {}),
        (["1.5", "2,5", "3"], {"decimal": ","}),
        (["1.234,5", "12.5"], {"decimal": ",", "thousands": "."}),
        (["1,234", "12.5", "NA"], {}),
    ],
)
def test_two_decimal_styles_in_a_column(fields: list[str], options: dict[str, str], tmp_path: Path) -> None:
    path = written(tmp_path, "x;y\n" + "".join(f"{field};1\n" for field in fields))
    for read in (Table, lambda *args, **named: bitsep.scan(*args, **named).n_rows):
        with pytest.raises(DataError, match=r"column 'x' has numbers of two styles.*decimal= and thousands="):
            read(path, **options)
    assert Table(path, columns=["y"]).n == len(fields)


def test_a_word_far_below_makes_a_column_text_and_not_two_styles(tmp_path: Path) -> None:
    path = written(tmp_path, "x;y\n" + "1.5;1\n2,5;1\n" * 400_000 + "word;1\n")
    scan = bitsep.scan(path, memory="20MB")
    assert scan.levels("x") == Table(path).levels("x") == ("1.5", "2,5", "word")


def test_a_column_that_changes_from_numbers_to_text(tmp_path: Path) -> None:
    numbers = "".join(f"{i / 8},a\n" for i in range(200))
    path = written(tmp_path, f"x,y\n{numbers}unknown,b\n")
    for read in (Table, lambda path, **named: bitsep.scan(path, **named).n_rows):
        with pytest.raises(
            DataError, match=r"'x' changes from numbers to text; 200 of its 201.*'unknown' is text.*miss"
        ):
            read(path)
        read(path, missing=["unknown"])
    assert Table(path, max_float_levels=None).n_levels("x") == 201


def test_codes_with_a_point_are_not_numbers(tmp_path: Path) -> None:
    codes = [f"{i / 8}" for i in range(200)] + [f"V{i}" for i in range(20)]
    assert both(written(tmp_path, "x,y\n" + "".join(f"{code},1\n" for code in codes))).n_levels("x") == 220


def test_no_header(tmp_path: Path) -> None:
    path = written(tmp_path, "1;x\n2;y\n1;x\n")
    table = both(path, header=False)
    assert table.names == ("column_1", "column_2")
    assert table.fingerprint() == Table({"column_1": [1, 2, 1], "column_2": ["x", "y", "x"]}).fingerprint()
    with pytest.raises(FormatError, match="line 3: expected 2 fields as in the first line, got 1"):
        Table(written(tmp_path, "1;x\n2;y\n1\n"), header=False)
    with pytest.raises(DataError, match=r"have the same name '1'.*header=False"):
        Table(written(tmp_path, "1,1\n2,2\n"))
    assert both(written(tmp_path, "7\n"), header=False).levels("column_1") == (7,)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_comments(end: str, start: str, tmp_path: Path) -> None:
    lines = ["# made by, a program", "a,b", "#", '1,"x', '#y"', "# 2,z", '3,5" pipe', "#4,w", "5,u", "# end"]
    path = written(tmp_path, start + end.join(lines) + end)
    table = both(path, comment="#")
    assert table.levels("a") == (1, 3, 5)
    assert table.levels("b") == ('5" pipe', "u", f"x{end}#y")
    with pytest.raises(FormatError, match='comment="#"'):
        Table(written(tmp_path, "# a, program\na,b,c\n1,2,3\n"))


def test_lines_keep_their_numbers_behind_comments(tmp_path: Path) -> None:
    path = written(tmp_path, "#\na,b\n# x\n1,2\n#\n3\n")
    with pytest.raises(FormatError, match="line 6: expected 2 fields"):
        Table(path, comment="#")


class TestBadOptions:
    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"delimiter": ",,"}, "delimiter: must be one ASCII character.*got ',,'"),
            ({"delimiter": '"'}, "delimiter: must be one"),
            ({"delimiter": "§"}, "delimiter: must be one"),
            ({"comment": "//"}, "comment: must be one"),
            ({"comment": ";", "delimiter": ";"}, "comment: must not be the delimiter"),
            ({"decimal": ";"}, r"decimal: must be '\.' or ','"),
            ({"decimal": ",", "thousands": ","}, "thousands: must not be the decimal"),
            ({"thousands": "x"}, "thousands: must be one of"),
            ({"header": None}, "header: must be True or False, got None"),
            ({"delimiter": ";"}, r"delimiter: must occur in the first line of .*, which has ',', got ';'.*comma"),
        ],
    )
    def test_values(self, options: dict[str, Any], words: str, tmp_path: Path) -> None:
        path = written(tmp_path, "a,b\n1,2\n")
        for read in (Table, bitsep.scan):
            with pytest.raises(ArgumentError, match=words):
                read(path, **options)

    @pytest.mark.parametrize(
        "options", [{"delimiter": ";"}, {"decimal": ","}, {"thousands": ","}, {"header": False}, {"comment": "#"}]
    )
    def test_data_that_are_no_csv_file(self, options: dict[str, Any], tmp_path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        frame = pa.table({"x": [1]})
        pq.write_table(frame, tmp_path / "f.parquet")
        for data in (frame, tmp_path / "f.parquet"):
            for read in (Table, bitsep.scan):
                with pytest.raises(ArgumentError, match=f"{next(iter(options))}: applies to CSV files only"):
                    read(data, **options)
        with pytest.raises(ArgumentError, match="applies to CSV files only, got a Table"):
            Table.of(Table(frame), **options)


@pytest.mark.parametrize("address", ["https://x.y/z.csv", "HTTP://x.y/z.csv", "ftp://x/z.csv"])
def test_addresses_are_refused(address: str) -> None:
    for read in (Table, bitsep.scan):
        with pytest.raises(ReadError, match=f"got the address '{address}'"):
            read(address)
    with pytest.raises(ReadError, match=r"got the address 's3://bucket/z\.csv'"):
        Table("s3://bucket/z.csv")


class TestStandardInput:
    @pytest.fixture
    def typed(self, monkeypatch: pytest.MonkeyPatch) -> Any:
        def type_(raw: bytes) -> None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))

        return type_

    @pytest.mark.parametrize("path", ["-", "/dev/stdin"])
    def test_it_is_a_csv_file(self, typed: Any, path: str) -> None:
        typed(b"a;b\n1;x\n2;y\n")
        table = Table(path)
        assert table.fingerprint() == Table({"a": [1, 2], "b": ["x", "y"]}).fingerprint()
        assert bitsep.scan(path).fingerprint() == table.fingerprint()  # stored, so it can be read again
        assert table.origin.code == f"bitsep.Table({path!r})"

    def test_errors_name_it(self, typed: Any) -> None:
        typed(b"a,b\n1\n")
        with pytest.raises(FormatError, match="'standard input', line 2"):
            Table("-")
        typed(b"")
        with pytest.raises(DataError, match="'standard input' is empty"):
            Table("-")

    def test_closed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", None)
        with pytest.raises(ReadError, match="the standard input is closed"):
            Table("-")


def test_many_columns(tmp_path: Path) -> None:
    n = 20_000
    path = written(tmp_path, ";".join(f"v{i}" for i in range(n)) + "\n" + ";".join("1" * n) + "\n")
    assert len(Table(path).names) == n


names = st.lists(
    st.text("aB1 ,;|\t\"'#ü\n", min_size=1, max_size=5).map(lambda text: f"n{text}"),
    min_size=2,
    max_size=4,
    unique=True,
)
kinds = st.sampled_from(
    [
        st.integers(-2000, 2_000_000),
        st.integers(-80_000, 80_000).map(lambda eighths: eighths / 8),
        st.sampled_from(["x", "y, z", "u;v", "#", "two\nlines", 'a "quote"', "tab\there", "a|b", "ü"]),
    ]
)


@st.composite
def tables(draw: st.DrawFn) -> dict[str, list[Any]]:
    n = draw(st.integers(1, 6))
    return {name: draw(st.lists(draw(kinds), min_size=n, max_size=n)) for name in draw(names)}


def text_of(value: Any, decimal: str, thousands: str | None) -> str:
    if isinstance(value, str):
        return value
    whole, _, rest = str(value).partition(".")
    if thousands is not None:
        whole = f"{int(whole):,}".replace(",", thousands) if int(whole) else whole
    return whole + (decimal + rest if rest else "")


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    table=tables(),
    delimiter=st.sampled_from(DELIMITERS),
    separators=st.sampled_from([(".", None), (".", ","), (",", None), (",", "."), (",", " "), (".", "'")]),
    header=st.booleans(),
    comment=st.booleans(),
    end=st.sampled_from(["\n", "\r\n"]),
    named=st.booleans(),
)
def test_a_table_written_in_any_dialect_is_the_same_table(
    tmp_path: Path,
    table: dict[str, list[Any]],
    delimiter: str,
    separators: tuple[str, str | None],
    header: bool,
    comment: bool,
    end: str,
    named: bool,
) -> None:
    decimal, thousands = separators
    out = io.StringIO()
    # Names and texts are quoted, so that no record begins with a comment sign.
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL if comment else 0)
    records = [[text_of(value, decimal, thousands) for value in row] for row in zip(*table.values(), strict=True)]
    for record in [list(table), *records] if header else records:
        if comment:
            out.write(f'# a comment, with "{end}')
        writer.writerow(record)
    path = written(tmp_path, out.getvalue())
    options: dict[str, Any] = {"decimal": decimal, "thousands": thousands, "header": header}
    if comment:
        options["comment"] = "#"
    if named or not _is_clear(out.getvalue()):
        options["delimiter"] = delimiter
    names = list(table) if header else [f"column_{i + 1}" for i in range(len(table))]
    expected = Table(dict(zip(names, table.values(), strict=True)), max_float_levels=None)
    assert both(path, max_float_levels=None, **options).fingerprint() == expected.fingerprint()


def _is_clear(text: str) -> bool:
    """Whether no other delimiter occurs, so that the one of the file must be recognized."""
    return sum(delimiter in text.replace("# a comment, with", "") for delimiter in DELIMITERS) == 1
