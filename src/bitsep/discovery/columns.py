"""Which columns the user wants in a search, and which not."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from bitsep.checks import shown
from bitsep.data.contract import EncodedData
from bitsep.errors import ArgumentError, UnsupportedTypeError
from bitsep.naming import Name, plain_name, unknown_column


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """The arguments `keep` and `exclude` of a search.

    Attributes
    ----------
    keep : tuple of names
        Columns to use even if they cannot serve.
    exclude : tuple of names
        Columns not to use.
    """

    keep: tuple[Name, ...] = ()
    exclude: tuple[Name, ...] = ()

    @classmethod
    def of(cls, keep: Any, exclude: Any) -> ColumnChoice:
        """The choice that the arguments describe; each can be a single name."""
        choice = cls(_names("keep", keep), _names("exclude", exclude))
        both = set(choice.keep) & set(choice.exclude)
        if both:
            raise ArgumentError(f"exclude: must not have columns of keep, got {sorted(both, key=str)[0]!r} in both.")
        return choice

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of a `Discovery`."""
        return {
            "keep": [plain_name(name) for name in self.keep],
            "exclude": [plain_name(name) for name in self.exclude],
        }

    def selected(self, data: EncodedData, named: Iterable[Name]) -> EncodedData:
        """The data without the excluded columns; `named` are columns that other arguments need."""
        for argument, names in (("keep", self.keep), ("exclude", self.exclude)):
            for name in names:
                if name not in data.names:
                    raise unknown_column(argument, name, data.names)
        if not self.exclude:
            return data
        excluded = set(self.exclude)
        for name in named:
            if name in excluded:
                raise ArgumentError(
                    f"exclude: must not have columns that other arguments name, got {name!r}.",
                    hint="Leave it out of one of them.",
                )
        used = [name for name in data.names if name not in excluded]
        if not used:
            raise ArgumentError("exclude: must leave at least one column, got all of them.", hint="Exclude fewer.")
        return data.select(used)

    def refuse_for_engine(self) -> None:
        """Engines and oracles have their own variables."""
        if self.exclude:
            raise ArgumentError(
                "exclude: must not be given with an engine or an oracle, which has its own variables.",
                hint="Exclude columns of a table.",
            )


def _names(argument: str, value: Any) -> tuple[Name, ...]:
    if value is None:
        return ()
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return (value,)
    names = tuple(value)
    for name in names:
        if not isinstance(name, Hashable):
            raise UnsupportedTypeError(f"{argument}: must have names of columns, got {shown(name)}.")
    return tuple(dict.fromkeys(names))
