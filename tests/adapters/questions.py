"""Bad input, the same for every host: what is asked, and what bitsep itself says to it."""

from __future__ import annotations

import numpy as np

import bitsep


def spellings(data: np.ndarray) -> dict[str, np.ndarray]:
    """The same values in the forms a host may pass."""
    wide = np.zeros((len(data), 2 * data.shape[1]), dtype=data.dtype)
    wide[:, ::2] = data
    return {
        "floats": data.astype(np.float64),
        "single precision": data.astype(np.float32),
        "small integers": data.astype(np.int8),
        "column-major": np.asfortranarray(data),
        "every other column": wide[:, ::2],
        "reversed view": data[::-1][::-1],
        "objects": data.astype(object),
        "texts": data.astype(str),
        "text objects": data.astype(str).astype(object),
        "read-only": _read_only(data),
    }


def _read_only(data: np.ndarray) -> np.ndarray:
    copy = data.copy()
    copy.setflags(write=False)
    return copy


def raised(call, *args, **kwargs):
    """The type and message of what a call raises."""
    try:
        call(*args, **kwargs)
    except Exception as error:
        return type(error), str(error)
    raise AssertionError("nothing was raised")


def verdicts(data, queries, method="sci_f"):
    """bitsep's own."""
    return [result.independent for result in bitsep.evaluate(data, queries, method)]


QUERIES = [(0, 2, ()), (0, 2, (1,)), (0, 3, ()), (2, 0, (3, 1)), (3, 4, (0,)), (4, 1, (3, 2))]
