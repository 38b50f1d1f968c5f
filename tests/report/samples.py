"""Discoveries to report on, each made once."""

from functools import cache

import numpy as np

import bitsep
from bitsep import Discovery, Table
from bitsep.graphs import random_dag
from bitsep.networks import random_network

HOSTILE = (
    "<script>window.hacked=1</script>",
    "</script><img src=x onerror=window.hacked=1>",
    "\"' onmouseover='window.hacked=1",
    "two\nlines\u2028and more",
    "family 👩‍👩‍👧 & <b>bold</b>",
    "שלום \u202e evil",
    "${window.hacked=1} `x`",
    "]]><!--",
    "",
)


@cache
def asia() -> tuple[Discovery, Table]:
    table = Table(bitsep.load_network("asia").sample(2000, seed=1))
    return bitsep.pc_stable(table), table


@cache
def alarm() -> tuple[Discovery, Table]:
    table = Table(bitsep.load_network("alarm").sample(5000, seed=1))
    return bitsep.pc_stable(table, orientation="standard"), table  # has conflicts


@cache
def eighty() -> tuple[Discovery, Table]:
    """80 variables of three levels: more than 3,000 pairs without an edge."""
    network = random_network(random_dag(80, mean_degree=2.5, seed=3), levels=3, seed=3)
    table = Table(network.sample(2000, seed=3))
    return bitsep.pc_stable(table), table


@cache
def network(variables: int) -> tuple[Discovery, Table]:
    """A graph of many variables with mean degree 2, learned from 5,000 rows."""
    known = random_network(random_dag(variables, mean_degree=2, seed=3), levels=3, seed=3)
    table = Table(known.sample(5000, seed=3))
    return bitsep.pc_stable(table), table


@cache
def dense(variables: int) -> tuple[Discovery, Table]:
    """A graph in which every pair has an edge: noisy copies of one column."""
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 2, 1000)
    noisy = {f"v{i:03}": np.where(rng.random(1000) < 0.15, rng.integers(0, 2, 1000), hidden) for i in range(variables)}
    table = Table(noisy)
    return bitsep.pc_stable(table, max_given=0), table


@cache
def contested() -> tuple[Discovery, Table]:
    """150 variables, thousands of edges, thousands of conflicts."""
    rng = np.random.default_rng(0)
    hidden = rng.integers(0, 2, (8, 1000))
    columns = {}
    for i in range(150):
        first, second = hidden[rng.choice(8, 2, replace=False)]
        columns[f"v{i:03}"] = np.where(rng.random(1000) < 0.1, rng.integers(0, 4, 1000), 2 * first + second)
    table = Table(columns)
    return bitsep.pc_stable(table, max_given=0, orientation="standard"), table


@cache
def hostile() -> tuple[Discovery, Table]:
    """A chain of columns whose names and levels try to be something else than text."""
    rng = np.random.default_rng(0)
    values = rng.integers(0, 2, 800)
    columns = {}
    for name in HOSTILE:
        values = np.where(rng.random(800) < 0.15, rng.integers(0, 2, 800), values)
        columns[name] = np.array([f"no {name}", f"<script>window.hacked=2</script>{name}"])[values]
    table = Table(columns)
    return bitsep.pc_stable(table), table


@cache
def long_names() -> tuple[Discovery, Table]:
    """Names and levels of sixty characters without a blank; an identifier, a constant, missing values."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, 600)
    levels = np.array(["L" * 50, "M" * 70, "Nn" * 30])
    columns = {
        "W" * 58: np.where(rng.random(600) < 0.3, None, np.where(rng.random(600) < 0.2, rng.integers(0, 3, 600), x)),
        "Bezeichnung_des_Merkmals" * 3: np.where(rng.random(600) < 0.2, rng.integers(0, 3, 600), x),
        "identifier" * 6: np.arange(600),
        "constant" * 7: np.zeros(600, int),
        "mostly" * 9: np.where(rng.random(600) < 0.93, None, rng.integers(0, 2, 600)),
        "levels" * 9: levels[np.where(rng.random(600) < 0.4, rng.integers(0, 3, 600), x)],
    }
    return bitsep.pc_stable(columns), Table(columns)
