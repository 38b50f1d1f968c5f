"""The paper, reproduced: every experiment, every figure, every claim.

`reproduce` runs the experiments of Marx & Vreeken (AISTATS 2019), draws their figures and decides, by the rules of
``claims.toml``, which of the paper's statements hold. One module per experiment, each with the reading it takes.
"""

from reproduction.catalogue import EXPERIMENTS
from reproduction.claims import Claim, Finding, Verdict, load_claims
from reproduction.entry import Reproduction, reproduce

__all__ = ["EXPERIMENTS", "Claim", "Finding", "Reproduction", "Verdict", "load_claims", "reproduce"]
