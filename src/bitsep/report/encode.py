"""A view as JSON that can be embedded in an HTML page."""

from __future__ import annotations

import dataclasses
import json
import re
from typing import Any

# Characters that could end the script element, open a comment, or end a line in an old parser; and lone surrogates,
# which UTF-8 cannot encode. They occur only inside JSON strings, where an escape sequence means the same.
_UNSAFE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def to_json(view: object) -> str:
    """Compact JSON: a sequence of objects of one class becomes {"columns": [...], "rows": [[...], ...]}.

    >>> from bitsep.report.view import Fact
    >>> to_json([Fact("a", "</script>"), Fact("b", "2")])
    '{"columns":["label","value"],"rows":[["a","\\\\u003c/script\\\\u003e"],["b","2"]]}'
    """
    text = json.dumps(_plain(view), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _plain(value: Any) -> Any:
    if value is None or type(value) in (int, str, bool):  # the most frequent types, checked first
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
