"""What the paper (Marx & Vreeken, AISTATS 2019) says that can be checked, in our words, and how it is decided.

There is a module per experiment. A claim is a function of the experiment's results that yields findings, and it holds
if all of them pass. No verdict is written down: each is computed from results.
"""

from reproduction.claims import alarm, d_separation, domain_size, error, parents, sample_complexity, thresholds
from reproduction.claims.claim import CLAIMS, Claim, Finding, Outcome, Verdict, decide

__all__ = [
    "CLAIMS",
    "Claim",
    "Finding",
    "Outcome",
    "Verdict",
    "alarm",
    "d_separation",
    "decide",
    "domain_size",
    "error",
    "parents",
    "sample_complexity",
    "thresholds",
]
