"""What is measured in a full and in a quick run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Sizes, repetitions and budgets of a run."""

    quick: bool
    networks: dict[str, tuple[int, ...]]  # rows for PC-stable, per network
    budgets: dict[str, float]  # seconds a peer may take for one graph, per network
    repetitions: int
    searched: tuple[tuple[str, int], ...]  # networks and rows for BOSS
    climbed: tuple[tuple[str, int], ...]  # and for hill climbing
    test_rows: tuple[int, ...]
    test_levels: tuple[int, ...]
    test_given: tuple[int, ...]
    blanket_targets: int | None  # of pyCausalFS; None: all
    growth_variables: tuple[int, ...]
    growth_levels: tuple[int, ...]
    thread_data: tuple[tuple[str, int], ...]  # networks and rows
    kernel_rows: tuple[int, ...]
    wide_variables: int
    large_rows: int


FULL = Settings(
    quick=False,
    networks={
        "alarm": (1_000, 10_000, 100_000, 1_000_000),
        "insurance": (1_000, 10_000, 100_000, 1_000_000),
        "hailfinder": (1_000, 10_000, 100_000, 1_000_000),
        "win95pts": (1_000, 10_000, 100_000, 1_000_000),
    },
    budgets={"alarm": 60.0, "insurance": 20.0, "hailfinder": 20.0, "win95pts": 20.0},
    repetitions=5,
    searched=(("alarm", 5_000), ("hailfinder", 10_000), ("win95pts", 10_000), ("pigs", 5_000)),
    climbed=(("alarm", 10_000), ("hailfinder", 10_000), ("win95pts", 10_000)),
    test_rows=(1_000, 10_000, 100_000, 1_000_000),
    test_levels=(2, 3, 5, 10, 20),
    test_given=(0, 1, 2, 3),
    blanket_targets=None,
    growth_variables=(25, 50, 100, 200, 400),
    growth_levels=(2, 3, 4, 6, 8, 12, 16, 20),
    thread_data=(
        ("alarm", 10_000),
        ("insurance", 10_000),
        ("hailfinder", 10_000),
        ("win95pts", 10_000),
        ("alarm", 100_000),
        ("alarm", 1_000_000),
    ),
    kernel_rows=(1_000, 10_000, 100_000),
    wide_variables=1_000,
    large_rows=1_000_000,
)

QUICK = Settings(
    quick=True,
    networks={"alarm": (1_000, 10_000)},
    budgets={"alarm": 15.0},
    repetitions=3,
    searched=(("alarm", 5_000),),
    climbed=(("alarm", 10_000),),
    test_rows=(1_000, 10_000),
    test_levels=(2, 20),
    test_given=(0, 2),
    blanket_targets=1,
    growth_variables=(25, 50),
    growth_levels=(2, 4, 8),
    thread_data=(("alarm", 10_000),),
    kernel_rows=(1_000, 10_000),
    wide_variables=200,
    large_rows=100_000,
)
