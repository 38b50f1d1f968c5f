"""tigramite, the real one: its searches with bitsep's tests."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import bitsep
from adapters.questions import QUERIES, spellings, verdicts
from bitsep.errors import ArgumentError, UnknownMethodError

pytestmark = pytest.mark.slow


def make(*args, **kwargs):
    return bitsep.adapters.tigramite.BitsepTest(*args, **kwargs)


def search(data, test, **frame_options):
    from tigramite.data_processing import DataFrame
    from tigramite.pcmci import PCMCI

    return PCMCI(DataFrame(np.asarray(data, dtype=float), **frame_options), cond_ind_test=test, verbosity=0)


def skeleton(graph):
    graph = graph[:, :, 0] if graph.ndim == 3 else graph
    return {frozenset(map(int, pair)) for pair in np.argwhere(graph != "")}


def run_pc(data, test, alpha=0.05, max_given=2):
    # Without the default rule for colliders, which adds many tests and changes no adjacency.
    options = {"max_conds_dim": max_given, "contemp_collider_rule": "none"}
    found = search(data, test).run_pcalg_non_timeseries_data(pc_alpha=alpha, **options)
    return skeleton(found["graph"])


def ask(test, data, x, y, given=(), alpha=0.05):
    z = data[:, list(given)] if given else None
    return test.run_test_raw(data[:, [x]], data[:, [y]], z, alpha_or_thres=alpha)


@pytest.fixture(scope="module")
def series():
    """A symbolic series: b follows a after one step, c follows b after two; a is noise."""
    rng = np.random.default_rng(5)
    a = rng.integers(0, 3, 1500)
    b, c = rng.integers(0, 3, 1500), rng.integers(0, 3, 1500)
    keep = rng.random(1500) < 0.7
    b[1:] = np.where(keep[1:], a[:-1], b[1:])
    keep = rng.random(1500) < 0.7
    c[2:] = np.where(keep[2:], b[:-2], c[2:])
    return np.column_stack([a, b, c])


@pytest.mark.parametrize("method", ["sci_f", "sci_q", "g2", "g2_adjusted"])
def test_the_skeleton_is_bitsep_s_own(codes, method):
    assert run_pc(codes, make(method)) == bitsep.pc_stable(codes, method, max_given=2).skeleton


def test_the_host_s_own_g2_is_ours_with_adjusted_df(codes):
    from tigramite.independence_tests.gsquared import Gsquared

    few = codes[:, :20]
    assert run_pc(few, make("g2_adjusted")) == run_pc(few, Gsquared())
    ours, theirs = make("g2_adjusted"), Gsquared()
    for x, y, given in [(0, 1, ()), (3, 9, (4,)), (5, 6, (7, 8))]:
        value, p, _ = ask(ours, codes, x, y, given)
        host_value, host_p, _ = ask(theirs, codes, x, y, given)
        assert value == pytest.approx(host_value, rel=1e-9, abs=1e-9)
        assert p == pytest.approx(host_p, rel=1e-9, abs=1e-300)


@pytest.mark.parametrize("method", ["sci_f", "g2_adjusted"])
@pytest.mark.parametrize("algorithm", ["run_pcmci", "run_pcmciplus"])
def test_links_of_a_symbolic_series(series, method, algorithm):
    found = getattr(search(series, make(method)), algorithm)(tau_max=3, pc_alpha=0.01)
    links = {tuple(map(int, link)) for link in np.argwhere(found["graph"] == "-->")}
    if method == "sci_f":
        assert links == {(0, 1, 1), (1, 2, 2)}
    else:  # at its significance level some of the 33 candidates are bound to slip through
        assert {(0, 1, 1), (1, 2, 2)} <= links


@pytest.mark.parametrize("alpha", [0.0, 1e-12, 0.01, 0.99, 1.0])
def test_sci_s_rule_holds_at_any_alpha(codes, mixed, alpha):
    few = codes[:, :15]
    assert run_pc(few, make(), alpha) == bitsep.pc_stable(few, max_given=2).skeleton
    assert [not ask(make(), mixed, *query, alpha=alpha)[2] for query in QUERIES] == verdicts(mixed, QUERIES)


def test_hypercompression_gives_alpha_the_paper_s_meaning(codes):
    few = codes[:, :20]
    for alpha in (0.05, 1e-4):
        own = bitsep.pc_stable(few, alpha=alpha, max_given=2).skeleton
        assert run_pc(few, make(p_values="hypercompression"), alpha) == own


def test_a_p_value_equal_to_alpha_is_dependent_here(mixed):
    """tigramite: dependent if p <= alpha."""
    p = bitsep.independence_test(mixed, 0, 3, method="g2").p_value
    assert ask(make("g2"), mixed, 0, 3, alpha=p)[2]
    assert not ask(make("g2"), mixed, 0, 3, alpha=np.nextafter(p, 0))[2]


def test_values_and_p_values(mixed):
    for query in QUERIES:
        result = bitsep.independence_test(mixed, *query)
        assert ask(make(), mixed, *query)[:2] == (pytest.approx(result.score_bits), float(result.independent))
        result = bitsep.independence_test(mixed, *query, method="g2")
        assert ask(make("g2"), mixed, *query)[:2] == pytest.approx((result.statistic, result.p_value))


def test_several_variables_are_one_joint(mixed):
    value, p = make().run_test_raw(mixed[:, :2], mixed[:, [2]], mixed[:, [3]])
    result = bitsep.independence_test(mixed, [0, 1], 2, 3)
    assert (value, p) == (pytest.approx(result.score_bits), float(result.independent))


def test_missing_samples_and_masks_are_left_out(mixed):
    flagged = mixed.copy()
    flagged[np.random.default_rng(1).random(mixed.shape) < 0.1] = 999
    gaps = np.where(flagged == 999, np.nan, flagged)
    found = search(flagged, make(), missing_flag=999).run_pcalg_non_timeseries_data(pc_alpha=0.05)
    assert skeleton(found["graph"]) == bitsep.pc_stable(gaps).skeleton
    mask = np.zeros(mixed.shape, dtype=bool)
    mask[200:] = True
    found = search(mixed, make(mask_type="xyz"), mask=mask).run_pcalg_non_timeseries_data(pc_alpha=0.05)
    assert skeleton(found["graph"]) == bitsep.pc_stable(mixed[:200]).skeleton


@pytest.mark.parametrize("spelling", [name for name in spellings(np.zeros((2, 2), dtype=int)) if "text" not in name])
def test_any_spelling_of_the_data(mixed, spelling):
    data = spellings(mixed)[spelling]
    if data.dtype == object:  # the host looks for NaN first, and cannot in objects
        with pytest.raises(TypeError, match="isnan"):
            ask(make(), data, 0, 2)
        data = data.astype(float)
    assert [not ask(make(), data, *query)[2] for query in QUERIES] == verdicts(mixed, QUERIES)


def test_constants_nan_and_continuous_values(mixed):
    constant = mixed.copy()
    constant[:, 1] = 4
    assert run_pc(constant, make()) == bitsep.pc_stable(constant, max_given=2).skeleton
    assert ask(make(), constant, 0, 1)[1] == 1.0
    gaps = mixed.astype(float)
    gaps[0, 0] = np.nan
    with pytest.raises(ValueError, match="nans"):  # the host's rule: name a missing_flag
        ask(make(), gaps, 0, 1)
    with pytest.raises(bitsep.BitsepError, match="continuous"):
        ask(make(), np.random.default_rng(0).random((400, 2)), 0, 1)


def test_an_index_out_of_range_and_no_conditions(mixed):
    test = make()
    test.set_dataframe(search(mixed, test).dataframe)
    with pytest.raises(KeyError, match="9"):  # the host's own lookup
        test.run_test([(0, 0)], [(9, 0)], [])
    for empty in (None, []):
        value, p = test.run_test([(0, 0)], [(2, 0)], empty)
        assert (value, p) == ask(make(), mixed, 0, 2)[:2]


def test_wrong_arguments():
    with pytest.raises(UnknownMethodError, match="sci_f"):
        make("sci_x")
    with pytest.raises(ArgumentError, match="p_values"):
        make(p_values="yes")
    with pytest.raises(ArgumentError, match="threshold"):
        make(options={"threshold": 1})
    with pytest.raises(ArgumentError, match="significance"):
        make(significance="shuffle_test")
    with pytest.raises(ArgumentError, match="residuals"):
        make(recycle_residuals=True)


def test_names_and_copies(mixed, capsys):
    test = make("cmi", options={"threshold": 0.01}, verbosity=1)
    assert "bitsep cmi" in capsys.readouterr().out
    for other in (copy.deepcopy(test), pickle.loads(pickle.dumps(test))):
        assert ask(other, mixed, 0, 2, (1,)) == ask(test, mixed, 0, 2, (1,))
