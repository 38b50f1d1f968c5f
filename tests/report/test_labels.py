"""Labels of long names: short, and different where the names are."""

from hypothesis import given
from hypothesis import strategies as st

import bitsep
from bitsep.report.contingency import Tabulator
from bitsep.report.labels import unique_labels


@given(st.sets(st.text("ab", max_size=12), min_size=2, max_size=6), st.integers(0, 40), st.integers(0, 40))
def test_long_names_have_different_labels(middles: set[str], before: int, after: int) -> None:
    names = sorted("x" * before + middle + "y" * after for middle in middles)
    labels = unique_labels(names, 30)
    assert len(set(labels)) == len(names)
    assert all(len(label) <= 30 for label in labels)


def test_names_show_where_they_differ() -> None:
    names = [f"expression_of_the_gene_in_the_tissue_of_sample_{k:02}_after_the_treatment_of_a_month" for k in range(40)]
    labels = unique_labels(names)
    assert all(f"sample_{k:02}_after" in label for k, label in enumerate(labels))
    assert all(len(label) == 60 for label in labels)


def test_equal_texts_show_their_types() -> None:
    long = "5" * 70
    assert unique_labels([1, "1"]) == ("1 (int)", "1 (str)")
    assert [label[-6:] for label in unique_labels([long, int(long)])] == [" (str)", " (int)"]


def test_long_levels_of_a_conditioning_set_differ() -> None:
    levels = [f"a level with a long description: it has the number {k} of several levels" for k in range(2)]
    data = bitsep.Table({"x": [0, 1] * 8, "y": [0, 0, 1, 1] * 4, "z": [levels[k // 8] for k in range(16)]})
    strata = Tabulator(data).strata("x", "y", ["z"])
    assert len({stratum.labels for stratum in strata}) == 2
