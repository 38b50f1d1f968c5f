"""What the texts of a column look like: dates and times, numbers with separators or signs, sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from bitsep.data.text import NumberFormat

_SAMPLE = 1000
_SHARE = 0.95

_YEAR = r"(?:1[5-9]|20|21)\d\d"
_MONTH = r"(?:0?[1-9]|1[0-2])"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_ORDINAL = r"[a-z]{0,2}"
_MONTH_NAME = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? )"
_CLOCK = r"(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?"
_TIME = _CLOCK + r"(?: ?(?:z|utc|gmt|[+-]\d\d:?\d\d|[+-]\d\d))?"
_DATES = (
    rf"{_YEAR}([-/.]){_MONTH}\1{_DAY}",
    rf"{_DAY}([-/.]){_DAY}\2(?:{_YEAR}|\d\d)",  # day or month first
    rf"{_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])",
    rf"{_YEAR}-(?:0[1-9]|1[0-2])",
    rf"{_YEAR}-?(?:q[1-4]|w[0-5]\d(?:-[1-7])?)",
    rf"{_DAY}{_ORDINAL}[ -]{_MONTH_NAME}(?:[ ,-]+(?:{_YEAR}|\d\d))?",
    rf"{_MONTH_NAME}[ -]{_DAY}{_ORDINAL}(?:[ ,]+{_YEAR})?",
    rf"{_MONTH_NAME}[ -]{_YEAR}",
)
_DATE = re.compile(rf"(?:{_WEEKDAY}?(?:{'|'.join(_DATES)})(?:(?:t|,? ){_TIME})?|{_TIME})", re.IGNORECASE)

_GROUPED = r"\d{1,3}(?:([,.' \u00a0\u202f])\d{3})(?:\1\d{3})*(?:[.,]\d+)?"
_PLAIN = r"\d+(?:[.,]\d+)?|[.,]\d+"
_CURRENCY = r"(?:[$€£¥₹₽₩¢]|(?:usd|eur|gbp|chf|jpy|cny|inr|cad|aud|us\$|kr|zł|rs\.?)(?=[\s\d.,-]|$))"
_DECORATED = re.compile(
    rf"[(+-]?\s?{_CURRENCY}?\s?[+-]?(?:{_GROUPED}|{_PLAIN})\s?(?:%|‰|{_CURRENCY})?\)?", re.IGNORECASE
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_WHOLE = re.compile(r"[+-]?\d+")
_MISSING = re.compile(
    r"|-+|\.+|#?n[./]?a\.?|<na>|nan|nil|null|missing|#(?:null|value|ref|num|name\?|div/0)!?|k\. ?a\.", re.IGNORECASE
)
_LABEL = re.compile(r"0\d+")  # leading zeros: a code such as a postal code, not a number


def spread(levels: Sequence[object]) -> Sequence[object]:
    """At most 1,000 levels, evenly spread over all; levels are sorted, so the choice does not depend on rows.

    >>> len(spread(range(5))), len(spread(range(2500))), spread(range(2500))[1]
    (5, 834, 3)
    """
    return levels[:: -(-len(levels) // _SAMPLE)] if len(levels) > _SAMPLE else levels


def missing_codes(levels: Iterable[object]) -> list[str]:
    """The texts that usually mean that a value is missing. "None" is not one of them: it often is an answer.

    >>> missing_codes(["n/a", "no", "-", 3, "#N/A", " ", "none"])
    ['n/a', '-', '#N/A', ' ']
    """
    return [level for level in levels if isinstance(level, str) and _MISSING.fullmatch(level.strip())]


def similar_texts(levels: Iterable[object]) -> list[list[str]]:
    """The groups of texts that differ by blanks or by upper and lower case only.

    >>> similar_texts(["Yes", "no", "yes ", 3, "No way", "no  way", "N"])
    [['Yes', 'yes '], ['No way', 'no  way']]
    """
    groups: dict[str, list[str]] = {}
    for level in levels:
        if isinstance(level, str):
            groups.setdefault(" ".join(level.casefold().split()), []).append(level)
    return [group for group in groups.values() if len(group) > 1]


def are_dates(texts: Sequence[str]) -> bool:
    """Whether at least 95% of the texts are dates, times, or both.

    >>> are_dates(["2013-01-01", "2013-01-02 05:00:00"]), are_dates(["31/12/99"]), are_dates(["Jan 1 2000", "17:30"])
    (True, True, True)
    >>> are_dates(["10-19", "20-29"]), are_dates(["1.2.3"]), are_dates(["may", "june"]), are_dates(["Decile 1"])
    (False, False, False, False)
    """
    return _most(_DATE, texts)


def are_numbers(texts: Sequence[str]) -> bool:
    """Whether at least 95% of the texts are numbers: plain, with separators, currency or percent signs.

    Texts with leading zeros are codes, not numbers.

    >>> are_numbers(["1,234.56", "€12.30"]), are_numbers(["45%", "7 %"]), are_numbers(["1 234,5"]), are_numbers(["$-3"])
    (True, True, True, True)
    >>> are_numbers(["01234", "99999"]), are_numbers(["A12"]), are_numbers(["1-2"])
    (False, False, False)
    """
    return not any(map(_LABEL.fullmatch, texts)) and _most(_DECORATED, texts)


def not_numbers(texts: Iterable[object]) -> list[str]:
    """The texts that are no numbers, neither plain nor with separators, currency or percent signs.

    >>> not_numbers(["1,5", "n/a", "45 %"])
    ['n/a']
    """
    return [text for text in texts if isinstance(text, str) and not _DECORATED.fullmatch(text.strip())]


def separators(texts: Sequence[str]) -> tuple[str, str | None] | None:
    """The separators of decimals and of thousands with which all texts are numbers; None if there are none.

    >>> separators(["0,25", "3"]), separators(["1.234,5", "2"]), separators(["1,234", "12"]), separators(["1", "5%"])
    ((',', None), (',', '.'), ('.', ','), None)
    """
    for decimal, thousands in ((".", ","), (",", None), (",", ".")):
        sign = thousands if decimal == "." else decimal
        numbers = NumberFormat(decimal, thousands)
        if sign and any(sign in text for text in texts) and all(map(numbers.is_number, texts)):
            return decimal, thousands
    return None


def are_plain_numbers(texts: Sequence[str]) -> bool:
    """Whether all texts are numbers as Python writes them.

    >>> are_plain_numbers(["1", "2.5"]), are_plain_numbers(["1,5"])
    (True, False)
    """
    return all(map(_NUMBER.fullmatch, texts))


def are_whole_numbers(texts: Sequence[str]) -> bool:
    """Whether all texts are whole numbers without separators.

    >>> are_whole_numbers(["1", "-20"]), are_whole_numbers(["2.5"])
    (True, False)
    """
    return all(map(_WHOLE.fullmatch, texts))


def mean_words(texts: Sequence[str]) -> float:
    """The mean number of words of the texts.

    >>> mean_words(["the seal bit", "N1A1"])
    2.0
    """
    return sum(len(text.split()) for text in texts) / max(1, len(texts))


def _most(pattern: re.Pattern[str], texts: Sequence[str]) -> bool:
    allowed = (1 - _SHARE) * len(texts)
    failed = 0
    for text in texts:
        failed += pattern.fullmatch(text) is None
        if failed > allowed:
            return False
    return bool(texts)
