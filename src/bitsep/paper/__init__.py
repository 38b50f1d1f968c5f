"""The paper, reproduced: every experiment, every figure, every claim.

`reproduce` runs the experiments of Marx & Vreeken (AISTATS 2019), draws their figures and decides, by the rules of
``claims.toml``, which of the paper's statements hold. One module per experiment, each with the reading it takes.
"""

from bitsep.paper.catalogue import EXPERIMENTS
from bitsep.paper.claims import Claim, Finding, Verdict, load_claims
from bitsep.paper.entry import Reproduction, reproduce

__all__ = ["EXPERIMENTS", "Claim", "Finding", "Reproduction", "Verdict", "load_claims", "reproduce"]
