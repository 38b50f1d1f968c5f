"""What bootstrap samples say about a discovery: probabilities, doubts, and the consensus graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitsep.discovery.calibration import Probabilities
from bitsep.discovery.consensus import consensus
from bitsep.discovery.doubts import Doubt, find_doubts
from bitsep.lazy import cached_property
from bitsep.naming import Name

if TYPE_CHECKING:
    from bitsep.discovery.result import Discovery
    from bitsep.graphs import PAG, PDAG


class Confidence:
    """The part of `Discovery` that follows from its bootstrap support."""

    @cached_property
    def probability(self) -> Probabilities:
        """For every pair of variables, the calibrated probability that it is adjacent in the true graph; empty without
        bootstrap samples.

        Of the pairs with 80% about 80% are adjacent, on average over graphs like those to which the probabilities were
        fitted (see the page on confidence). A pair whose edge knowledge requires has 1, one whose edge it forbids 0.
        Pairs that differ only by `copies` of a variable share the probability of one edge.

        Examples
        --------
        >>> import bitsep
        >>> d = bitsep.discover(bitsep.load_network("asia").sample(500, seed=1), bootstrap=100)
        >>> for pair in ({"either", "lung"}, {"asia", "tub"}):
        ...     print(sorted(pair), d.probability[frozenset(pair)] > 0.5)
        ['either', 'lung'] True
        ['asia', 'tub'] False
        """
        return Probabilities(cast("Discovery", self))

    @cached_property
    def copies(self) -> tuple[tuple[Name, ...], ...]:
        """In a search by score with bootstrap samples, the groups of variables that determine each other and have
        values in the same rows, as identical or recoded columns do: the data cannot tell to which of them an edge
        belongs, and they share its probability."""
        return cast("Discovery", self)._find_copies()

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """Where bootstrap samples speak against the graph, the gravest first; empty without samples.

        These are edges with a probability below 50%, missing edges with more than 50%, and directions, in a PAG
        arrowheads, that fewer than 50% of the samples have.
        """
        return find_doubts(cast("Discovery", self))

    def consensus(self, threshold: float = 0.5) -> PDAG | PAG:
        """The graph of the probable edges: a CPDAG, or for `fci` a legal PAG.

        It has the edges of the graph with at least this probability, and other edges whose probability is at least
        halfway between the threshold and 1, because their direction is known from bootstrap samples only. Of the
        edges at `copies` of the same variable one counts, with the sum of their probabilities: that with most support.

        A triple a — c — b without an edge between a and b is a v-structure if it is one in the graph; if the graph does
        not have both edges, if most of the samples that have them direct them to c. Where such decisions contradict
        each other, the clearer one holds. With knowledge the graph also has the directions that follow from it.

        For `fci` triples, and colliders on discriminating paths, are decided in the same way by the arrowheads at c.
        The decisions that hold together are completed to a MAG; the result is the PAG of this MAG.

        Parameters
        ----------
        threshold : float
            The smallest `probability` of an edge, above 0 and at most 1.

        Raises
        ------
        ArgumentError
            If the threshold is not in this range, or the search had no bootstrap samples.

        Examples
        --------
        >>> import bitsep
        >>> d = bitsep.discover(bitsep.load_network("cancer").sample(2000, seed=1), bootstrap=100)
        >>> d.consensus(0.9)
        PDAG(5 variables, 2 edges: 'Cancer' — 'Smoker', 'Cancer' — 'Xray')
        """
        return consensus(cast("Discovery", self), threshold)
