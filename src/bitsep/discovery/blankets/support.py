"""Bootstrap support of the members of Markov blankets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bitsep.discovery.blankets.neighborhoods import Blanket
from bitsep.discovery.blankets.result import MemberSupport
from bitsep.naming import Name


def member_support(
    samples: Iterable[Mapping[int, Blanket]], total: int, names: Sequence[Name]
) -> dict[int, dict[Name, MemberSupport]]:
    """For each target, the support of every variable that is a member in some sample, in canonical order."""
    members: Counter[tuple[int, int]] = Counter()
    neighbors: Counter[tuple[int, int]] = Counter()
    for blankets in samples:
        for target, blanket in blankets.items():
            neighbors.update((target, v) for v in blanket.neighbors)
            members.update((target, v) for v in {*blanket.neighbors, *blanket.spouses})
    found: dict[int, dict[Name, MemberSupport]] = {}
    for target, v in sorted(members):
        share = MemberSupport(members[target, v] / total, neighbors[target, v] / total)
        found.setdefault(target, {})[names[v]] = share
    return found
