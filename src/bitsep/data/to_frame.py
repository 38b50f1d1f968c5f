"""A table as a data frame of pandas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from bitsep.errors import ArgumentError

if TYPE_CHECKING:
    import pandas as pd

    from bitsep.data.table import Table


def to_pandas(table: Table, weights: Any) -> pd.DataFrame:
    """See `Table.to_pandas`."""
    import pandas as pd

    columns = {name: _values(table, name) for name in table.names}
    if table.weights is not None:
        if weights in columns:
            raise ArgumentError(
                f"weights: a new name is needed for the column of weights, got {weights!r}.",
                hint='Use weights="another name".',
            )
        columns[weights] = np.array(table.weights)
    return pd.DataFrame(columns)


def _values(table: Table, name: Any) -> Any:
    """Categories in the order of display; values as they are if pandas cannot tell two levels apart."""
    import pandas as pd

    levels, codes = table.levels(name), np.asarray(table.codes(name))
    order = np.array(table.display_order(name), np.int64)
    if len(set(levels)) < len(levels):  # such as 1 and True
        values = np.array([*levels, None], dtype=object)
        return values[codes]
    place = np.append(np.argsort(order), -1)  # the last one is for missing values, whose code is -1
    return pd.Categorical.from_codes(place[codes], categories=level_index([levels[code] for code in order]))


def level_index(levels: Sequence[Any]) -> pd.Index[Any]:
    """Levels as an index of pandas, tuples as single values."""
    import pandas as pd

    index: pd.Index[Any]
    try:
        index = pd.Index(levels, tupleize_cols=False)
    except UnicodeEncodeError:  # a lone surrogate, which an index of text cannot hold
        index = pd.Index(levels, dtype=object, tupleize_cols=False)
    return index
