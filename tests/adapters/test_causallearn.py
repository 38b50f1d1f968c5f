"""causal-learn, the real one: its searches with bitsep's tests."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import bitsep
from adapters.questions import QUERIES, raised, spellings, verdicts
from bitsep.errors import ArgumentError, UnknownMethodError, UnsupportedTypeError

pytestmark = pytest.mark.slow

MAX_GIVEN = 3


@pytest.fixture(autouse=True)
def registered():
    return bitsep.adapters.causallearn.register()


def run_pc(data, method, alpha=0.05, **options):
    from causallearn.search.ConstraintBased.PC import pc

    return pc(data, alpha, method, show_progress=False, **options)


def skeleton(graph):
    return {frozenset(map(int, pair)) for pair in np.argwhere(graph.graph != 0)}


def test_all_methods_are_registered(registered):
    from causallearn.utils.cit import CIT

    assert registered == tuple(bitsep.independence.METHODS)
    for name in registered:
        test = CIT(np.array([[0, 0], [1, 1]] * 50), name)
        assert test.method == name
        assert test(0, 1) == 0.0 or test(0, 1) < 0.05
    assert bitsep.adapters.causallearn.register("sci_f") == ("sci_f",)


@pytest.mark.parametrize("method", ["sci_f", "sci_q", "sci_fs", "jic", "g2", "g2_adjusted", "x2"])
def test_the_skeleton_is_bitsep_s_own(codes, method):
    found = run_pc(codes, method, max_k=MAX_GIVEN)
    assert skeleton(found.G) == bitsep.pc_stable(codes, method, max_given=MAX_GIVEN).skeleton


def test_the_host_s_own_g2_is_ours_with_adjusted_df(codes):
    """Same statistic, same degrees of freedom: the same graph, arrows included, from PC and from FCI."""
    from causallearn.search.ConstraintBased.FCI import fci
    from causallearn.utils.cit import CIT

    ours, theirs = run_pc(codes, "g2_adjusted"), run_pc(codes, "gsq")
    assert np.array_equal(ours.G.graph, theirs.G.graph)
    few = codes[:, :12]
    graphs = [fci(few, name, 0.05, show_progress=False)[0].graph for name in ("g2_adjusted", "gsq")]
    assert np.array_equal(*graphs)
    own, host = CIT(codes, "g2_adjusted"), CIT(codes, "gsq")
    for x, y, given in [(0, 1, ()), (3, 9, (4,)), (5, 6, (7, 8)), (10, 30, (1, 2, 3))]:
        assert own(x, y, given) == pytest.approx(host(x, y, given), rel=1e-9, abs=1e-300)


def test_fci_finds_what_the_verdicts_say(codes):
    from causallearn.search.ConstraintBased.FCI import fci

    few = codes[:, :12]
    found, _ = fci(few, "sci_f", 0.05, show_progress=False)
    assert skeleton(found) <= bitsep.pc_stable(few).skeleton  # FCI removes more where latent variables may be at work
    again, _ = fci(few, "sci_f", 0.9, show_progress=False)
    assert np.array_equal(found.graph, again.graph)


@pytest.mark.parametrize("alpha", [1e-300, 1e-9, 0.01, 0.5, 1 - 1e-12])
def test_sci_s_rule_holds_at_any_alpha(codes, alpha):
    few = codes[:, :15]
    assert skeleton(run_pc(few, "sci_f", alpha).G) == bitsep.pc_stable(few).skeleton


@pytest.mark.parametrize("alpha", [0.05, 1e-4])
def test_hypercompression_gives_alpha_the_paper_s_meaning(codes, alpha):
    found = run_pc(codes, "sci_f", alpha, p_values="hypercompression", max_k=2)
    assert skeleton(found.G) == bitsep.pc_stable(codes, alpha=alpha, max_given=2).skeleton


def test_a_p_value_equal_to_alpha_is_dependent_here(mixed):
    """causal-learn: independent if p > alpha."""
    pair = mixed[:, [0, 3]]
    p = bitsep.independence_test(pair, 0, 1, method="g2").p_value
    assert skeleton(run_pc(pair, "g2", p).G) == {frozenset((0, 1))}
    assert skeleton(run_pc(pair, "g2", np.nextafter(p, 0)).G) == set()


def test_options_and_orientation_rules_reach_the_test(codes):
    few = codes[:, :12]
    for rule in (0, 1, 2):
        found = run_pc(few, "cmi", uc_rule=rule, threshold=0.02)
        assert skeleton(found.G) == bitsep.pc_stable(few, "cmi", threshold=0.02).skeleton


def test_data_that_print_alike_are_not_confused(tmp_path):
    """The host's cache is keyed by an abbreviated print of the data; rows in the middle do not show in it."""
    from causallearn.utils.cit import CIT

    rng = np.random.default_rng(0)
    first = rng.integers(0, 2, (4000, 2))
    second = first.copy()
    second[10:-10, 1] = second[10:-10, 0]
    assert str(first) == str(second)
    assert CIT(first, "sci_f")(0, 1) == 1.0
    assert CIT(second, "sci_f")(0, 1) == 0.0
    with pytest.raises(ArgumentError, match="cache_path"):
        CIT(first, "sci_f", cache_path=str(tmp_path / "cache.json"))


@pytest.mark.parametrize("spelling", list(spellings(np.zeros((2, 2), dtype=int))))
def test_any_spelling_of_the_data(mixed, spelling):
    from causallearn.utils.cit import CIT

    data = spellings(mixed)[spelling]
    test = CIT(data, "sci_f")
    assert [bool(test(*query)) for query in QUERIES] == verdicts(mixed, QUERIES)
    assert skeleton(run_pc(data, "sci_f").G) == bitsep.pc_stable(mixed).skeleton


def test_missing_values_are_left_out_test_by_test(mixed):
    gaps = mixed.astype(float)
    gaps[np.random.default_rng(2).random(gaps.shape) < 0.15] = np.nan
    assert skeleton(run_pc(gaps, "sci_f").G) == bitsep.pc_stable(gaps).skeleton


def test_questions_that_make_no_sense(mixed):
    from causallearn.utils.cit import CIT

    test = CIT(mixed, "sci_f")
    for x, y, given in [(0, 5, ()), (-1, 0, ()), (0, 1, (9,)), (1, 1, ()), (0, 1, (0,))]:
        assert raised(test, x, y, given) == raised(bitsep.evaluate, mixed, [(x, y, given)])
    plain = test(0, 2)
    assert all(test(0, 2, empty) == plain for empty in (None, (), [], set(), np.array([], dtype=int)))
    assert test(np.int64(2), np.int64(0), [np.int64(3), 1]) == test(0, 2, (1, 3))


def test_wrong_arguments(mixed):
    from causallearn.utils.cit import CIT

    with pytest.raises(UnsupportedTypeError, match="2-D NumPy array"):
        CIT([[0, 1]], "sci_f")
    with pytest.raises(UnknownMethodError, match="sci_f"):
        bitsep.adapters.causallearn.register("sci_x")
    with pytest.raises(ArgumentError, match="p_values"):
        CIT(mixed, "sci_f", p_values="yes")
    with pytest.raises(ArgumentError, match="threshold"):
        CIT(mixed, "sci_f", threshold=1)
    with pytest.raises(bitsep.BitsepError, match="continuous"):
        CIT(np.random.default_rng(0).random((300, 2)), "sci_f")


def test_copies(mixed):
    from bitsep.adapters.causallearn import BitsepCIT

    test = BitsepCIT(mixed, method="g2")
    assert copy.deepcopy(test)(0, 1) == pickle.loads(pickle.dumps(test))(0, 1) == test(0, 1)
