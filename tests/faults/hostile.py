"""Files made to exhaust the stack, the memory or the patience of a reader.

Run as a program, it writes each file into the folder of its first argument, reads it, and prints a line of JSON with
the error, the seconds of processor time, and the megabytes by which the peak of the memory grew.
"""

from __future__ import annotations

import gzip
import io
import json
import resource
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import bitsep
from bitsep.checkpoint import AnswerFolder
from bitsep.data.fingerprint import Fingerprint
from bitsep.shell.files import read_graph
from bitsep.shell.knowledge import _read as read_knowledge

DEEP = 100_000
HEAD = "network n { }\n"
ZEROS = b"0" * (1 << 20)


def bif_table(parents: int, levels: int, entry: str) -> str:
    """A network with one variable whose table has levels ** (parents + 1) entries."""
    listed = ", ".join(f"l{k}" for k in range(levels))
    names = [f"p{k}" for k in range(parents)]
    text = HEAD + "".join(f"variable {v} {{ type discrete [ {levels} ] {{ {listed} }}; }}\n" for v in ["x", *names])
    uniform = ", ".join([str(1 / levels)] * levels)
    text += "".join(f"probability ( {v} ) {{ table {uniform}; }}\n" for v in names)
    return text + f"probability ( x | {', '.join(names)} ) {{ {entry.format(uniform)} }}\n"


def zeros_gz(megabytes: int) -> bytes:
    """A gzip file of zeros: a thousandth of their size."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", compresslevel=9) as file:
        for _ in range(megabytes):
            file.write(ZEROS)
    return packed.getvalue()


def rows_gz(megabytes: int) -> bytes:
    """A gzip file of many equal rows, as members of one megabyte each."""
    return gzip.compress(b"a,b\n1,2\n") + gzip.compress(b"1,2\n" * (1 << 18), 9) * megabytes


def bomb_xlsx() -> bytes:
    """An Excel file whose sheet has 600 MB of empty rows."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w") as sheet,
    ):
        for _ in range(600):
            sheet.write(b"<row/>    " * 100_000)
    return packed.getvalue()


def entities_xlsx() -> bytes:
    """An Excel file with a text that expands to 10⁹ characters."""
    packed = io.BytesIO()
    import openpyxl  # type: ignore[import-untyped]

    book = openpyxl.Workbook()
    book.active.append(["a", "b"])
    book.active.append(["x", "y"])
    book.save(packed)
    result = io.BytesIO()
    with zipfile.ZipFile(packed) as old, zipfile.ZipFile(result, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                content = content[content.index(b"<worksheet") :].replace(b"<t>a</t>", b"<t>&e9;</t>")
                content = laughs("worksheet").encode() + content
            new.writestr(name, content)
    return result.getvalue()


def laughs(root: str) -> str:
    """Entities that expand tenfold, nine times."""
    lines = ['<?xml version="1.0"?>', f"<!DOCTYPE {root} [", '<!ENTITY e0 "0123456789">']
    lines += [f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, 10)]
    return "\n".join([*lines, "]>\n"])


def xml(body: str) -> str:
    return f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph>{body}</graph></graphml>'


def discovery() -> str:
    return bitsep.pc_stable({"a": [0, 1] * 50, "b": [0, 1] * 50}).to_json()


def nested(text: str) -> str:
    """The JSON with one value replaced by deeply nested arrays."""
    return text.replace('"tests_run": ', '"tests_run": ' + "[" * DEEP + "]" * DEEP + ', "x": ', 1)


def claim(path: Path) -> None:
    AnswerFolder(path.parent).claim(Fingerprint("0", "0"))


FILES: dict[str, tuple[Callable[[], str | bytes], Callable[[Path], object]]] = {
    "braces.bif": (lambda: "{" * DEEP, bitsep.read_bif),
    "braces-2.bif": (lambda: HEAD + "variable x " + "{" * DEEP, bitsep.read_bif),
    "property.bif": (lambda: "network n { property " + "{ (" * DEEP, bitsep.read_bif),
    "signs.bif": (lambda: "network n { }" + "{" * 50_000_000, bitsep.read_bif),
    "10-gb-default.bif": (lambda: bif_table(30, 2, "default {};"), bitsep.read_bif),
    "10-gb-row.bif": (lambda: bif_table(20, 3, "(l0) {};"), bitsep.read_bif),
    "10-gb-table.bif": (lambda: bif_table(20, 3, "table {};"), bitsep.read_bif),
    "10-eb.bif": (lambda: bif_table(500, 2, "default {};"), bitsep.read_bif),
    "parents.bif": (lambda: HEAD + "probability ( x | " + ", ".join(map(str, range(DEEP))) + " ) {", bitsep.read_bif),
    "twice.bif": (lambda: bif_table(2, 2, "default {};").replace("[ 2 ]", f"[ {'9' * 10_000} ]"), bitsep.read_bif),
    "long-word.bif": (lambda: "x" * 20_000_000, bitsep.read_bif),
    "nul.bif": (lambda: HEAD + "\0" * 1000, bitsep.read_bif),
    "bomb.bif.gz": (lambda: zeros_gz(2000), bitsep.read_bif),
    "bomb.csv.gz": (lambda: zeros_gz(2000), bitsep.Table),
    "rows.csv.gz": (lambda: rows_gz(1500), bitsep.Table),
    "long-line.csv": (lambda: "0" * 200_000_000, bitsep.Table),
    "names.csv": (lambda: ",".join(["x"] * 1_000_000) + "\n" + ",".join("1" * 1_000_000), bitsep.Table),
    "quote.csv": (lambda: 'a,b\n"' + "x\n" * 10_000_000, bitsep.Table),
    "nul.csv": (lambda: b"a,b\n1,2\n" + b"\0" * 1000, bitsep.Table),
    "nul-name.csv": (lambda: b"a\0,b\n1,2\n", bitsep.Table),
    "bomb.xlsx": (bomb_xlsx, bitsep.Table),
    "entities.xlsx": (entities_xlsx, bitsep.Table),
    "nul.xlsx": (lambda: b"PK\x03\x04" + b"\0" * 1000, bitsep.Table),
    "nested.jsonl": (lambda: '{"a":' + "[" * DEEP + "]" * DEEP + "}\n", bitsep.Table),
    "objects.jsonl": (lambda: '{"a":' * DEEP + "1" + "}" * DEEP + "\n", bitsep.Table),
    "nul.parquet": (lambda: b"PAR1" + b"\0" * 1000 + b"PAR1", bitsep.Table),
    "size.parquet": (lambda: b"PAR1" + b"\xff" * 1000 + b"\xff\xff\xff\x7fPAR1", bitsep.Table),
    "nul.feather": (lambda: b"ARROW1\0\0" + b"\0" * 1000 + b"ARROW1", bitsep.Table),
    "size.feather": (lambda: b"\xff\xff\xff\xff\xff\xff\xff\x7f" + b"\0" * 1000, bitsep.Table),
    "arrays.json": (lambda: "[" * DEEP, bitsep.PDAG.load),
    "objects.json": (lambda: '{"schema":' * DEEP, read_graph),
    "nested-array.json": (
        lambda: '{"schema": "bitsep.graph", "schema_version": 1, "variables": ' + "[" * 900 + "]" * 900 + "}",
        read_graph,
    ),
    "discovery.json": (lambda: nested(discovery()), read_graph),
    "number.json": (lambda: discovery().replace('"tests_run": ', '"tests_run": ' + "9" * 10_000, 1), read_graph),
    "knowledge.json": (lambda: "[" * DEEP, read_knowledge),
    "identity.json": (lambda: "[" * DEEP, claim),
    "laughs.graphml": (lambda: laughs("graphml") + xml("<node id='&e9;'/>"), bitsep.PDAG.load),
    "deep.graphml": (lambda: xml("<node id='a'>" * DEEP), bitsep.PDAG.load),
    "deep-closed.graphml": (lambda: xml("<a>" * DEEP + "</a>" * DEEP + "<edge/>"), bitsep.PDAG.load),
    "nul.graphml": (lambda: xml("\0"), bitsep.PDAG.load),
    "attribute.graphml": (lambda: xml(f"<edge source='{'x' * 10_000_000}'/>"), bitsep.PDAG.load),
    "braces.dot": (lambda: "digraph {" * DEEP, bitsep.PDAG.load),
    "brackets.dot": (lambda: "digraph { a " + "[" * DEEP, bitsep.PDAG.load),
    "quote.dot": (lambda: 'digraph { "' + "\\" * 10_000_001, bitsep.PDAG.load),
    "comments.dot": (lambda: "digraph { " + "/*" * 5_000_000, bitsep.PDAG.load),
    "cycle.dot": (lambda: "digraph { " + " -> ".join(f"v{k % 3000}" for k in range(3001)) + " }", bitsep.DAG.load),
    "nul.dot": (lambda: "digraph {\0}", bitsep.PDAG.load),
    "long-line.txt": (lambda: "a -> " + "- " * 5_000_000, bitsep.PDAG.load),
    "long-name.txt": (lambda: '"' + "x" * 5_000_000, bitsep.PDAG.load),
    "unknown.bif": (lambda: HEAD + "".join(f"variable v{k} {{ type discrete [ 1 ] {{ a }}; }}\n" for k in range(20_000))
                    + "probability ( " + "v" * 10_000 + " ) { table 1; }", bitsep.read_bif),
}  # fmt: skip
"""The content of each file, and its reader."""


def main(folder: Path) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    for name, (content, read) in FILES.items():
        made = content()
        path = folder / name
        path.write_bytes(made.encode() if isinstance(made, str) else made)
        del made
        before, begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        try:
            read(path)
            error, message = "none", ""
        except BaseException as raised:
            error = type(raised).__name__ if not isinstance(raised, bitsep.BitsepError) else "BitsepError"
            message = str(raised)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        path.unlink()
        line = {"name": name, "error": error, "message": message[:5000], "seconds": time.process_time() - begin}
        print(json.dumps(line | {"grown_mb": grown >> 10}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
