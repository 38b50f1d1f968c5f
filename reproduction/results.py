"""The rows of one experiment, by column: what experiments make, and figures and claims read."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bitsep.errors import ArgumentError, FormatError

Kind = Literal["text", "whole", "real"]
Schema = Mapping[str, Kind]
Row = Mapping[str, Any]
_TYPES: dict[Kind, type] = {"text": np.str_, "whole": np.int64, "real": np.float64}


class Results:
    """A small column store with just what figures and claims need. Real columns hold NaN where a row has no value.

    >>> rows = [{"n": 100, "method": "g2", "f1": 0.25}, {"n": 200, "method": "g2", "f1": 0.5}]
    >>> results = Results.of_rows(rows, {"n": "whole", "method": "text", "f1": "real"})
    >>> results.where({"n": {"from": 150}})["f1"].tolist()
    [0.5]
    """

    def __init__(self, columns: Mapping[str, npt.NDArray[Any]], schema: Schema) -> None:
        self._columns = dict(columns)
        self.schema = dict(schema)

    @classmethod
    def of_rows(cls, rows: Sequence[Row], schema: Schema) -> Results:
        """Columns from rows that must have exactly the names of the schema, or lack real values."""
        for row in rows:
            if extra := row.keys() - schema.keys():
                raise FormatError(f"a row has the unknown column {min(extra)!r}")
        columns: dict[str, npt.NDArray[Any]] = {}
        for name, kind in schema.items():
            if kind == "real":
                values = [math.nan if row.get(name) is None else float(row[name]) for row in rows]
            else:
                values = [row[name] for row in rows]
            columns[name] = np.array(values, dtype=_TYPES[kind])
        return cls(columns, schema)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def __getitem__(self, column: str) -> npt.NDArray[Any]:
        if column not in self._columns:
            raise ArgumentError(f"the results have no column {column!r}; they have {', '.join(self._columns)}")
        return self._columns[column]

    def where(self, conditions: Mapping[str, Any]) -> Results:
        """The rows that meet all conditions: a value, a list of values, or ``{"from": a, "to": b}`` (both included)."""
        keep = np.ones(len(self), dtype=bool)
        for column, wanted in conditions.items():
            values = self[column]
            if isinstance(wanted, Mapping):
                keep &= values >= wanted.get("from", -math.inf)
                keep &= values <= wanted.get("to", math.inf)
            elif isinstance(wanted, (list, tuple)):
                keep &= np.isin(values, wanted)
            else:
                keep &= values == wanted
        return Results({name: values[keep] for name, values in self._columns.items()}, self.schema)

    def distinct(self, column: str) -> list[Any]:
        """The values of a column, each once, ascending."""
        values = self[column].tolist()
        return sorted({value for value in values if value == value})  # NaN is not a value

    def grid(self, rows: str, columns: str, value: str) -> tuple[list[Any], list[Any], npt.NDArray[np.float64]]:
        """`value` as a matrix over two other columns; NaN where there is none."""
        down, across = self.distinct(rows), self.distinct(columns)
        matrix = np.full((len(down), len(across)), math.nan)
        places = ({v: i for i, v in enumerate(down)}, {v: i for i, v in enumerate(across)})
        for r, c, v in zip(self[rows], self[columns], self[value], strict=True):
            matrix[places[0][r], places[1][c]] = v
        return down, across, matrix

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows as JSON can hold them: None for NaN."""
        columns = [values.tolist() for values in self._columns.values()]
        for values in zip(*columns, strict=True):
            yield {name: None if v != v else v for name, v in zip(self._columns, values, strict=True)}

    def to_csv(self) -> bytes:
        """Floats with all their digits; empty where there is no value."""
        text = io.StringIO()
        writer = csv.DictWriter(text, list(self._columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows())
        return text.getvalue().encode()

    def to_parquet(self) -> bytes:
        import pyarrow as pa
        import pyarrow.parquet as pq

        kinds = {"text": pa.string(), "whole": pa.int64(), "real": pa.float64()}
        fields = [pa.field(name, kinds[kind]) for name, kind in self.schema.items()]
        table = pa.Table.from_pylist(list(self.rows()), schema=pa.schema(fields))
        sink = io.BytesIO()
        pq.write_table(table, sink)
        return sink.getvalue()

    def to_json(self) -> bytes:
        return dump_json({"columns": self.schema, "rows": [list(row.values()) for row in self.rows()]})

    @classmethod
    def from_json(cls, text: bytes, schema: Schema) -> Results:
        document = json.loads(text)
        if document["columns"] != dict(schema):
            raise FormatError("the columns are not those of this version")
        return cls.of_rows([dict(zip(schema, row, strict=True)) for row in document["rows"]], schema)


def dump_json(value: Any) -> bytes:
    """JSON as every file of a reproduction has it: the same value, the same bytes."""
    return (json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode()
