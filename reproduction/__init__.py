"""The paper, reproduced: every experiment, every figure, every claim.

Runs the experiments of Marx & Vreeken (AISTATS 2019), draws their figures and decides which of the paper's statements
hold. One module per experiment, each with the reading it takes; their claims are in `reproduction.claims`.
"""
