"""`discretize`: data with intervals in place of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bitsep.checks import integer
from bitsep.data.contract import EncodedData
from bitsep.data.discretization.choice import discretized, rules_of
from bitsep.data.discretization.request import DEFAULT_BINS, Discretization
from bitsep.data.load import encoded
from bitsep.data.origin import call_of, origin_of
from bitsep.errors import ArgumentError
from bitsep.naming import Name


def discretize(
    data: Any,
    method: Any = "auto",
    bins: int | None = None,
    columns: Iterable[Name] | None = None,
    threads: int | None = None,
) -> EncodedData:
    """Discretize numeric columns: divide them into intervals.

    Parameters
    ----------
    data : table-like, Table, scan or Spark data frame
        The data.
    method : str or mapping
        One method for all columns that look continuous, or methods by column.

        ``"auto"``: intervals of equal frequency, 3 with fewer than 500 rows, 4 with fewer than 5,000, otherwise 5.
        ``"equal-frequency"``: intervals with about the same number of rows. ``"equal-width"``: intervals of the same
        length between the smallest and the largest value.
        ``"mdl:TARGET"``: the cut points with the most information about the column TARGET, as many as shorten the
        description (Fayyad & Irani 1993). ``"none"``: the column is left as it is. A number of intervals can follow,
        as in ``"equal-frequency:4"``.

        By column, as text: ``"price,age=equal-frequency:4;dose=2,5,10"``, where numbers are cut points. A part without
        columns is for those that are not named: ``"auto;age=none"``. As a mapping: ``{"age": "equal-frequency:4",
        "dose": [2, 5, 10]}``.
    bins : int, optional
        The number of intervals of equal frequency or width, if the method does not say it; default: 5. There are fewer
        if ties prevent a cut point.
    columns : name or names, optional
        The columns for a method without columns; default: every numeric column with more levels than the rows support,
        more than the root of their number (at least 12) or than 50, and more than the number of intervals. Identifiers
        and dates (see `describe`) are not among them, since they would only look like ordinary columns.
    threads : int, optional
        The number of threads for a scan; default: all cores. The result does not depend on it.

    Returns
    -------
    EncodedData
        A `Table`; for a scan or a Spark data frame the same kind of data. The levels of a discretized column are
        `pandas.Interval`, closed on the right; missing values stay missing. The attribute ``discretized`` has the cut
        points.

    Raises
    ------
    ArgumentError, UnknownMethodError, UnknownColumnError
        If the method is unknown, there are fewer than two bins, or a column does not exist.
    DataError
        If a named column is not numeric, a column has infinite values with intervals of equal width, or the target
        looks continuous.

    Notes
    -----
    Discretization loses information, and cut points chosen with a target make the column and the target look more
    dependent than they are: test this pair on other rows than those used for the cut points. A column without a useful
    cut point for MDL becomes constant.

    A column may have at most a million distinct values.

    References
    ----------
    Fayyad & Irani, Multi-interval discretization of continuous-valued attributes for classification learning, IJCAI
    (1993).

    Examples
    --------
    >>> data = {"age": [18, 21, 25, 33, 41, 48, 60, 77], "smoke": ["no", "yes"] * 4}
    >>> table = discretize(data, {"age": "equal-frequency:2"})
    >>> [str(level) for level in table.levels("age")], table.codes("age").tolist()
    (['(-inf, 33.0]', '(33.0, inf]'], [0, 0, 0, 0, 1, 1, 1, 1])
    >>> print(table.discretized[0])
    age: 8 levels cut into 2 intervals at 33 (equal-frequency:2)
    """
    wanted = Discretization.of(method, DEFAULT_BINS if bins is None else integer("bins", bins, at_least=2))
    if bins is not None and not wanted.has_bins:
        raise ArgumentError(f"bins: {method!r} chooses the number of intervals itself.", hint="Leave bins out.")
    if columns is not None:
        wanted = _only(wanted, columns)
    source = encoded(data)
    cut = discretized(source, rules_of(source, wanted, threads=threads), threads)
    return cut.made_by(call_of("bitsep.discretize", origin_of(data), method=wanted.text))


def _only(wanted: Discretization, columns: Iterable[Name]) -> Discretization:
    """The method without columns, for these columns."""
    names = [columns] if isinstance(columns, str) or not isinstance(columns, Iterable) else list(columns)
    if wanted.others is None or wanted.columns:
        raise ArgumentError("columns: the method already names columns.", hint="Leave columns out.")
    return Discretization(None, tuple((name, wanted.others) for name in dict.fromkeys(names)))
