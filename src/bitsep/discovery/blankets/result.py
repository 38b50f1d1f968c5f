"""The result of a search for a Markov blanket."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from bitsep.data.discretization import CutColumn
from bitsep.data.profile import Alert
from bitsep.discovery.serialize import read_document
from bitsep.errors import UnknownColumnError
from bitsep.figures import shown_bits
from bitsep.independence.result import IndependenceResult
from bitsep.markup import html_list, html_table
from bitsep.naming import Name, plain_name, shown_name, shown_names

SCHEMA = "bitsep.blanket"
VERSION = 1


@dataclass(frozen=True, slots=True)
class MemberEvidence:
    """Why a variable is in the blanket.

    Attributes
    ----------
    role : "neighbor" or "spouse"
        The role of the variable in the blanket.
    result : IndependenceResult
        For a neighbor, the test that came closest to removing it (for algorithms that grow and shrink the whole
        blanket: the test given all other members). For a spouse, the test that shows its dependence given the common
        child.
    child : name or None
        For a spouse, the common child in that test; None if the algorithm does not identify one.
    """

    role: Literal["neighbor", "spouse"]
    result: IndependenceResult
    child: Name | None = None


@dataclass(frozen=True, slots=True)
class MemberSupport:
    """Shares of bootstrap samples.

    member : share in which the variable is in the blanket.
    neighbor : share in which it is a neighbor of the target.
    """

    member: float
    neighbor: float


@dataclass(frozen=True, repr=False)
class MarkovBlanket:
    """The Markov blanket of a variable: given its members, the target is independent of all other variables.

    Attributes
    ----------
    target : name
        The variable.
    members, neighbors, spouses : tuple of names
        The members of the blanket in canonical order: its neighbors (parents and children) and its spouses (other
        parents of the children).
    tests_run : int
        The number of tests used for this blanket. Blankets found together share tests; each counts all tests it
        needed, so the number is the same as in a search for this blanket alone.
    algorithm, method : str
        The names of the search algorithm and of the test.
    evidence : mapping from members to MemberEvidence
        Why each member is in the blanket.
    left_out : tuple of Alert
        The columns that were left out because they cannot serve in a search, each with the reason.
    restricted : tuple of Alert
        The columns that are missing in too many rows to be conditioning variables, each with its share.
    discretized : tuple of CutColumn
        The columns that were divided into intervals, each with its cut points.
    support : mapping from names to MemberSupport
        The bootstrap support of every variable that is a member here or in some sample; empty without bootstrap.
    warnings : tuple of str
        Reasons to doubt the blanket: it does not separate the target from all other variables, variables that
        determine the target, tests with too few rows.

    Examples
    --------
    >>> import bitsep
    >>> m = bitsep.markov_blanket(bitsep.load_network("earthquake").sample(5000, seed=1), "Burglary")
    >>> m.members, m.spouses
    (('Alarm', 'Earthquake'), ('Earthquake',))
    >>> m.evidence["Earthquake"].child
    'Alarm'
    """

    target: Name
    members: tuple[Name, ...]
    neighbors: tuple[Name, ...]
    spouses: tuple[Name, ...]
    tests_run: int
    algorithm: str
    method: str
    evidence: Mapping[Name, MemberEvidence]
    left_out: tuple[Alert, ...] = ()
    restricted: tuple[Alert, ...] = ()
    discretized: tuple[CutColumn, ...] = ()
    support: Mapping[Name, MemberSupport] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("evidence", "support"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    def __hash__(self) -> int:
        return hash((self.target, self.members, self.neighbors, self.tests_run, self.algorithm, self.method))

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__} | {
            "evidence": dict(self.evidence),
            "support": dict(self.support),
        }
        return (MarkovBlanket, tuple(fields.values()))

    def to_dict(self) -> dict[str, Any]:
        """The attributes as values that JSON can represent."""
        names = {name: [plain_name(v) for v in getattr(self, name)] for name in ("members", "neighbors", "spouses")}
        evidence = [
            {
                "member": plain_name(name),
                "role": e.role,
                "child": None if e.child is None else plain_name(e.child),
                "result": e.result.to_dict(effect=False),
            }
            for name, e in self.evidence.items()
        ]
        return {
            "target": plain_name(self.target),
            **names,
            "tests_run": self.tests_run,
            "algorithm": self.algorithm,
            "method": self.method,
            "evidence": evidence,
            "left_out": [alert.to_dict() for alert in self.left_out],
            "restricted": [alert.to_dict() for alert in self.restricted],
            "discretized": [column.to_dict() for column in self.discretized],
            "support": [
                {"member": plain_name(name), "member_share": share.member, "neighbor_share": share.neighbor}
                for name, share in self.support.items()
            ],
            "warnings": list(self.warnings),
        }

    def to_json(self, indent: int | None = None) -> str:
        """Canonical JSON with a schema and its version: the same result gives the same bytes."""
        content = {"schema": SCHEMA, "schema_version": VERSION, **self.to_dict()}
        return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=indent)

    @classmethod
    def from_json(cls, text: str) -> MarkovBlanket:
        """A blanket from the text that `to_json` returned, in which names are integers or text.

        Raises
        ------
        FormatError
            If the text is not a blanket, or has a schema version that this release does not support.
        """
        return read_document(text, SCHEMA, VERSION, "MarkovBlanket", _read)

    def explain(self, member: Name) -> str:
        """Why a member is in the blanket, as a sentence.

        Raises
        ------
        UnknownColumnError
            If the blanket has no such member.
        """
        if member not in self.members:  # unlike the keys of a mapping, also for what cannot be hashed
            raise UnknownColumnError(
                f"member: {member!r} is not in the blanket of {self.target!r}.",
                hint=f"Members: {', '.join(map(repr, self.members)) or 'none'}.",
            )
        evidence = self.evidence[member]
        result = evidence.result
        given = f"given {shown_names(result.given, 'nothing')}"
        who, target = shown_name(member), shown_name(self.target)
        numbers = f"score {shown_bits(result.score_bits, '+')} bits"
        if evidence.role == "neighbor":
            return f"{who} is a neighbor of {target}: even {given} they stay dependent ({numbers})."
        if evidence.child is None:
            return (
                f"{who} is a spouse of {target}: {given} they are dependent ({numbers}), "
                "but another set separates them."
            )
        return (
            f"{who} is a spouse of {target} through their common child {shown_name(evidence.child)}: "
            f"{given} they are dependent ({numbers})."
        )

    def _rows(self) -> list[tuple[str, str]]:
        return [
            ("neighbors", shown_names(self.neighbors, "none")),
            ("spouses", shown_names(self.spouses, "none")),
            *((("bootstrap", self._shown_support()),) if self.support else ()),
            *_listed("left out", self.left_out),
            *_listed("not given", self.restricted),
            *_listed("intervals", self.discretized),
            ("found by", f"{self.algorithm} with {self.method}, {self.tests_run:,} tests"),
            *(("warning", warning) for warning in self.warnings),
        ]

    def _shown_support(self) -> str:
        """The support of the members, and of other variables that most samples have."""
        kept = [name for name, share in self.support.items() if name in self.members or share.member > 0.5]
        return ", ".join(
            f"{shown_name(name)} {self.support[name].member:.0%}" + ("" if name in self.members else " (not a member)")
            for name in kept
        )

    def __repr__(self) -> str:
        return f"<MarkovBlanket of {self.target!r}: {', '.join(map(repr, self.members)) or 'empty'}>"

    def __str__(self) -> str:
        return "\n".join(
            [
                f"Markov blanket of {shown_name(self.target)}",
                *(f"  {label:<9}  {value}" for label, value in self._rows()),
            ]
        )

    def _repr_html_(self) -> str:
        title = f"Markov blanket of {shown_name(self.target)}"
        return html_table(title, (), self._rows()) + html_list(map(self.explain, self.members))


def _read(content: Mapping[str, Any]) -> MarkovBlanket:
    evidence = {
        row["member"]: MemberEvidence(row["role"], IndependenceResult.from_dict(row["result"]), row["child"])
        for row in content["evidence"]
    }
    return MarkovBlanket(
        target=content["target"],
        members=_names(content["members"]),
        neighbors=_names(content["neighbors"]),
        spouses=_names(content["spouses"]),
        tests_run=content["tests_run"],
        algorithm=content["algorithm"],
        method=content["method"],
        evidence=evidence,
        left_out=tuple(map(Alert.from_dict, content["left_out"])),
        restricted=tuple(map(Alert.from_dict, content["restricted"])),
        discretized=tuple(map(CutColumn.from_dict, content["discretized"])),
        support={
            row["member"]: MemberSupport(row["member_share"], row["neighbor_share"]) for row in content["support"]
        },
        warnings=tuple(content.get("warnings", ())),
    )


def _listed(label: str, columns: Sequence[Alert | CutColumn]) -> tuple[tuple[str, str], ...]:
    return ((label, shown_names((one.column for one in columns), "none")),) if columns else ()


def _names(names: object) -> tuple[Name, ...]:
    if not isinstance(names, list):
        raise TypeError(f"{names!r} is not a list of names")
    return tuple(names)
