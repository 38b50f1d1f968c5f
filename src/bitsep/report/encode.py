"""A view as JSON that may stand inside a page."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

# What could end the script element, open a comment, or end a line for an old parser; and halves of characters, which
# no file can hold. All of them stand inside JSON strings only, where an escape means the same.
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def to_json(view: object) -> str:
    """Compact JSON: a sequence of equal value types becomes {"columns": [...], "rows": [[...], ...]}.

    >>> from bitsep.report.view import Fact
    >>> to_json([Fact("a", "</script>"), Fact("b", "2")])
    '{"columns":["label","value"],"rows":[["a","\\\\u003c/script\\\\u003e"],["b","2"]]}'
    """
    text = json.dumps(_plain(view), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _plain(value: Any) -> Any:
    if value is None or type(value) in (int, str, bool):  # most of a view
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, list | tuple):
        if value and dataclasses.is_dataclass(value[0]):
            names = [field.name for field in dataclasses.fields(value[0])]
            return {"columns": names, "rows": [[_plain(getattr(row, name)) for name in names] for row in value]}
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)  # 12 instead of 12.0: the same number for a browser, and shorter
    return value
