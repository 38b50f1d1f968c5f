"""How numbers are shown: the same figure has the same digits in terminal, notebook, explanation, report and picture."""

from __future__ import annotations

_ROUNDING = 1e-11  # bits per row that are left of an exact zero


def shown_bits(value: float, sign: str = "") -> str:
    """Bits of all rows: two decimals, with separators of thousands; `sign` "+" shows the sign of positive numbers, too.

    >>> shown_bits(0.02198), shown_bits(29.0), shown_bits(175_312.4, "+"), shown_bits(-0.001)
    ('0.02', '29.00', '+175,312.40', '0.00')
    """
    text = f"{value:{sign},.2f}"
    return text.replace("-", "+" if sign else "") if text == "-0.00" else text


def shown_per_row(value: float) -> str:
    """Bits per row: four decimals, and two digits of smaller numbers.

    >>> shown_per_row(0.02198), shown_per_row(0.000123), shown_per_row(-1.6e-13)
    ('0.0220', '0.00012', '0.0000')
    """
    if abs(value) < _ROUNDING:
        return "0.0000"
    return f"{value:.4f}" if abs(value) >= 0.0005 else f"{value:.2g}"


def shown_p(p_value: float) -> str:
    """A p-value: three digits.

    >>> shown_p(0.04321), shown_p(0.9999), shown_p(1.2e-9)
    ('0.0432', '1', '1.2e-09')
    """
    return f"{p_value:.3g}"


def shown_count(number: int, noun: str) -> str:
    """A number of things, with separators of thousands.

    >>> shown_count(1, "row"), shown_count(5000, "row")
    ('1 row', '5,000 rows')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
