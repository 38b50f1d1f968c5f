"""pgmpy, the real one: its PC with bitsep's tests."""

from __future__ import annotations

import copy
import itertools
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest

import bitsep
from adapters.questions import QUERIES, raised, spellings, verdicts
from bitsep.errors import ArgumentError, UnknownMethodError

pytestmark = pytest.mark.slow

MAX_GIVEN = 3


def make(data, *args, **kwargs):
    return bitsep.adapters.pgmpy.BitsepTest(data, *args, **kwargs)


def run_pc(frame, test, alpha=0.05, **options):
    from pgmpy.causal_discovery import PC

    options = {"max_cond_vars": MAX_GIVEN, "show_progress": False, "n_jobs": 2, **options}
    return PC(ci_test=test, significance_level=alpha, **options).fit(frame)


def skeleton(found):
    return {frozenset(pair) for pair in found.skeleton_.edges()}


@pytest.fixture
def frame(mixed):
    return pd.DataFrame(mixed, columns=list("abcde"))


@pytest.mark.parametrize("method", ["sci_f", "sci_q", "jic", "g2", "g2_adjusted"])
@pytest.mark.parametrize("variant", ["stable", "parallel"])
def test_the_skeleton_is_bitsep_s_own(alarm, method, variant):
    found = run_pc(alarm, make(alarm, method), variant=variant)
    assert skeleton(found) == bitsep.pc_stable(alarm, method, max_given=MAX_GIVEN).skeleton


def test_the_host_s_default_depth_is_five(alarm):
    from pgmpy.causal_discovery import PC

    assert PC().max_cond_vars == 5
    found = run_pc(alarm, make(alarm), max_cond_vars=5, variant="stable")
    assert skeleton(found) == bitsep.pc_stable(alarm, max_given=5).skeleton


def test_the_original_variant_separates_by_our_verdicts(alarm):
    """It depends on the order of edges, so its graph is its own; what it removes, a test of ours removed."""
    found = run_pc(alarm, make(alarm), variant="orig")
    assert len(skeleton(found) ^ bitsep.pc_stable(alarm, max_given=MAX_GIVEN).skeleton) <= 4
    queries = [(*sorted(pair), given) for pair, given in found.separating_sets_.items()]
    assert all(result.independent for result in bitsep.evaluate(alarm, queries))


@pytest.mark.parametrize("rule", [None, "pvalue", "effect"])
@pytest.mark.parametrize("variant", ["orig", "stable", "parallel"])
@pytest.mark.parametrize("method", ["sci_f", "g2_adjusted"])
def test_orientation_rules_find_more_true_arrows_than_false(alarm, network, method, variant, rule):
    found = run_pc(alarm, make(alarm, method), variant=variant, orient_rule=rule)
    arrows, truth = set(found.causal_graph_.directed_edges), set(network.edges)
    reversed_arrows = {(b, a) for a, b in arrows} & truth
    assert len(arrows & truth) >= 15
    assert len(reversed_arrows) <= len(arrows & truth) / 4


@pytest.mark.parametrize("alpha", [0, 1e-12, 0.01, 0.99, 1])
def test_sci_s_rule_holds_at_any_alpha(alarm, alpha):
    few = alarm.iloc[:, :15]
    for variant in ("stable", "parallel"):
        assert skeleton(run_pc(few, make(few), alpha, variant=variant)) == bitsep.pc_stable(few, max_given=3).skeleton


@pytest.mark.parametrize("alpha", [0.05, 1e-4])
def test_hypercompression_gives_alpha_the_paper_s_meaning(alarm, alpha):
    found = run_pc(alarm, make(alarm, p_values="hypercompression"), alpha, variant="stable")
    assert skeleton(found) == bitsep.pc_stable(alarm, alpha=alpha, max_given=MAX_GIVEN).skeleton


def test_a_p_value_equal_to_alpha_is_independent_here(frame):
    """pgmpy: independent if p >= alpha."""
    p = bitsep.independence_test(frame, "a", "d", method="g2").p_value
    test = make(frame, "g2")
    assert test("a", "d", [], significance_level=p)
    assert not test("a", "d", [], significance_level=np.nextafter(p, 1))


def test_the_host_s_own_g2_where_it_makes_no_correction(frame):
    """pgmpy corrects 2x2 strata after Yates and calls df = 0 dependent; elsewhere its G² is ours with adjusted df."""
    from pgmpy.ci_tests import GSq

    ours, theirs = make(frame, "g2_adjusted"), GSq(frame)
    for x, y in itertools.combinations("abcde", 2):
        for given in ([], *([z] for z in "abcde" if z not in (x, y))):
            (statistic, p), (host_statistic, host_p) = ours.run_test(x, y, given), theirs.run_test(x, y, given)
            counts = frame.groupby([*given, x, y] if given else [x, y]).size()
            if counts.min() > 0 and len(counts) == 3 ** (2 + len(given)):
                assert statistic == pytest.approx(host_statistic, rel=1e-9)
                assert p == pytest.approx(host_p, rel=1e-9, abs=1e-300)


def test_where_the_host_reads_nan_as_dependent_we_say_independent():
    frame = pd.DataFrame({"x": [0, 1] * 50, "y": [0] * 50 + [1] * 50, "z": list(range(100))})
    assert make(frame, "g2_adjusted")("x", "y", ["z"])
    assert make(frame, "g2_adjusted").run_test("x", "y", ["z"])[1] == 1.0


def test_threads_see_their_own_results_only(alarm):
    test = make(alarm, "g2_adjusted")
    queries = [(x, y, [z]) for x, y, z in itertools.permutations(list(alarm)[:8], 3)]
    expected = [(r.independent, r.p_value, r.cmi_bits) for r in bitsep.evaluate(alarm, queries, "g2_adjusted")]

    def ask(query):
        verdict = test(*query, significance_level=0.05)
        return verdict, test.p_value_, test.effect_size_

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, queries * 5)) == expected * 5


def test_results_of_the_latest_test(frame):
    test = make(frame)
    with pytest.raises(AttributeError, match="no test has been made"):
        _ = test.p_value_
    test("a", "c", ["b"])
    result = bitsep.independence_test(frame, "a", "c", "b")
    assert (test.p_value_, test.statistic_, test.effect_size_) == (1.0, result.score_bits, result.cmi_bits)


@pytest.mark.parametrize("spelling", list(spellings(np.zeros((2, 2), dtype=int))))
def test_any_spelling_of_the_data(mixed, spelling):
    names = list("abcde")
    data = pd.DataFrame(spellings(mixed)[spelling], columns=names)
    test = make(data)
    asked = [(names[x], names[y], [names[z] for z in given]) for x, y, given in QUERIES]
    assert [test(*query) for query in asked] == verdicts(mixed, QUERIES)
    own = {frozenset(names[v] for v in pair) for pair in bitsep.pc_stable(mixed, max_given=3).skeleton}
    assert skeleton(run_pc(data, test)) == own


def test_columns_of_an_array_are_called_as_pgmpy_calls_them(mixed):
    own = {frozenset(f"x{v}" for v in pair) for pair in bitsep.pc_stable(mixed, max_given=3).skeleton}
    assert skeleton(run_pc(mixed, make(mixed))) == own


def test_missing_values(mixed):
    gaps = pd.DataFrame(mixed.astype(float), columns=list("abcde"))
    gaps = gaps.mask(np.random.default_rng(2).random(gaps.shape) < 0.15)
    test = make(gaps)
    for x, y, z in itertools.permutations("abcde", 3):
        assert test(x, y, [z]) == bitsep.independence_test(gaps, x, y, z).independent
    with pytest.raises(ValueError, match="NaN"):  # the host refuses before any test
        run_pc(gaps, test)


def test_questions_that_make_no_sense(frame):
    test = make(frame)
    for x, y, given in [("a", "q", ()), ("a", "b", ("q",)), ("a", "a", ()), ("a", "b", ("a",))]:
        assert raised(test, x, y, given) == raised(bitsep.evaluate, frame, [(x, y, given)])
    assert all(test("a", "c", empty) == test("a", "c") for empty in ([], (), set()))
    assert test("a", "c", "b") == test("a", "c", ["b"])


def test_wrong_arguments(frame):
    with pytest.raises(UnknownMethodError, match="sci_f"):
        make(frame, "sci_x")
    with pytest.raises(ArgumentError, match="p_values"):
        make(frame, p_values="yes")
    with pytest.raises(ArgumentError, match="threshold"):
        make(frame, options={"threshold": 1})


def test_copies_and_clones(frame):
    from pgmpy.causal_discovery import PC
    from sklearn.base import clone

    test = make(frame, "cmi", options={"threshold": 0.01})
    for other in (copy.deepcopy(test), pickle.loads(pickle.dumps(test)), clone(PC(ci_test=test)).ci_test):
        assert other.get_params()["method"] == "cmi"
        assert other.run_test("a", "c", ["b"]) == test.run_test("a", "c", ["b"])
