"""scikit-learn, the real one: the selector and the score functions."""

from __future__ import annotations

import pickle
import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bitsep
from bitsep.errors import DataError, UnknownMethodError

pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "examples" / "feature_selection.py"


@pytest.fixture(scope="module")
def sachs():
    return bitsep.load_network("sachs").sample(2000, seed=1)


@pytest.fixture
def features(sachs):
    return sachs.drop(columns="Mek"), sachs["Mek"]


def make(**parameters):
    return bitsep.adapters.sklearn.MarkovBlanketSelector(**{"threads": 1, **parameters})


@pytest.mark.filterwarnings("ignore:No features were selected")
@pytest.mark.parametrize("algorithm", ["pcmb", "iamb"])
def test_scikit_learn_s_own_checks(algorithm):
    from sklearn.utils.estimator_checks import check_estimator

    outcomes = check_estimator(make(algorithm=algorithm), on_skip=None)
    assert [o["check_name"] for o in outcomes if o["status"] not in ("passed", "skipped")] == []
    # What it skips needs an environment variable of SciPy's, for arrays on other devices.
    assert [o["check_name"] for o in outcomes if o["status"] == "skipped"] in ([], ["check_array_api_input"])


def test_the_blanket_is_bitsep_s_own(sachs, features):
    selector = make().fit(*features)
    own = bitsep.markov_blanket(sachs, "Mek")
    assert selector.blanket_ == own
    assert set(selector.get_feature_names_out()) == set(own.members) == {"Erk", "PKA", "PKC", "Raf"}
    assert set(features[0].columns[selector.get_support(indices=True)]) == set(own.members)
    assert selector.n_features_in_ == 10
    assert "PKC" in selector.blanket_.explain("PKC")


@pytest.mark.parametrize("algorithm", ["pcmb", "grow_shrink", "iamb", "inter_iamb", "fast_iamb", "mmmb", "hiton_mb"])
@pytest.mark.parametrize("method", ["sci_f", "g2_adjusted"])
def test_every_algorithm(sachs, features, algorithm, method):
    selector = make(algorithm=algorithm, method=method, alpha=0.01, max_given=2).fit(*features)
    own = bitsep.markov_blanket(sachs, "Mek", algorithm, method, 0.01, 2)
    assert selector.blanket_.members == own.members


def test_in_a_pipeline_with_pandas_output(features):
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    X, y = features
    model = make_pipeline(make(), OneHotEncoder(), LogisticRegression()).fit(X, y)
    assert model.score(X, y) > 0.7
    assert model[:2].get_feature_names_out()[:3].tolist() == ["Erk_AVG", "Erk_HIGH", "Erk_LOW"]
    kept = make().set_output(transform="pandas").fit_transform(X, y)
    assert isinstance(kept, pd.DataFrame)
    assert set(kept.columns) == {"Erk", "PKA", "PKC", "Raf"}
    pd.testing.assert_series_equal(kept["PKC"].astype(str), X["PKC"].astype(str))
    assert make().set_output(transform="polars").fit_transform(X, y).columns == list(kept.columns)


def test_parameters_can_be_searched(features):
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import OrdinalEncoder
    from sklearn.tree import DecisionTreeClassifier

    X, y = features
    model = Pipeline([("numbers", OrdinalEncoder()), ("select", make()), ("tree", DecisionTreeClassifier())])
    search = GridSearchCV(model, {"select__method": ["sci_f", "g2_adjusted"], "select__alpha": [None, 0.01]}, cv=2)
    assert search.fit(X[:1000], y[:1000]).best_score_ > 0.7


def test_weights_are_frequencies(features):
    X, y = features
    rng = np.random.default_rng(0)
    weights = rng.integers(0, 4, len(X))
    weighted = make().fit(X, y, sample_weight=weights)
    repeated = make().fit(X.loc[np.repeat(X.index, weights)], y.loc[np.repeat(y.index, weights)])
    assert weighted.blanket_ == repeated.blanket_
    assert make().fit(X, y, sample_weight=weights.astype(float)).blanket_ == weighted.blanket_
    for bad in (weights + 0.5, weights - 2):
        with pytest.raises(DataError, match="weights"):
            make().fit(X, y, sample_weight=bad)


def test_any_spelling_of_the_data(sachs, features):
    X, y = features
    expected = set(make().fit(X, y).get_feature_names_out())
    codes = X.apply(lambda column: column.cat.codes)
    for other in (X.astype(str), X.astype(object), codes, codes.astype(float), codes[codes.columns[::-1]]):
        assert set(make().fit(other, y).get_feature_names_out()) == expected
    plain = make().fit(codes.to_numpy(), y)
    assert {codes.columns[i] for i in plain.get_support(indices=True)} == expected
    assert set(plain.blanket_.members) == {codes.columns.get_loc(name) for name in expected}
    assert (
        make().fit(np.asfortranarray(codes.to_numpy(dtype=float)), y.astype(str)).support_.tolist()
        == plain.support_.tolist()
    )


def test_missing_values_are_left_out_test_by_test(features):
    X, y = features
    gaps = X.astype(object).mask(np.random.default_rng(0).random(X.shape) < 0.1)
    own = bitsep.markov_blanket(gaps.assign(Mek=y), "Mek")
    selector = make().fit(gaps, y)
    assert selector.blanket_.members == own.members
    assert selector.transform(gaps).shape == (len(X), len(own.members))


def test_the_target_gets_a_name_of_its_own(sachs, features):
    X, y = features
    assert make().fit(X.rename(columns={"P38": "Mek"}), y).blanket_.target == "Mek (target)"
    assert make().fit(X, y.to_numpy()).blanket_.target == "target"


def test_wrong_arguments(features):
    X, y = features
    with pytest.raises(UnknownMethodError, match="pcmb"):
        make(algorithm="pcmc").fit(X, y)
    with pytest.raises(DataError, match="continuous"):
        make().fit(np.random.default_rng(0).random((500, 3)), np.arange(500) % 2)
    with pytest.raises(DataError, match="target"):
        make().fit(np.arange(500).reshape(-1, 1) % 2, np.random.default_rng(0).random(500))


def test_it_can_be_stored(features):
    selector = make().fit(*features)
    assert pickle.loads(pickle.dumps(selector)).blanket_ == selector.blanket_


def test_score_functions(sachs):
    from sklearn.feature_selection import SelectKBest, mutual_info_classif

    from bitsep.adapters.sklearn import mutual_information_bits, sci_bits

    codes = sachs.apply(lambda column: column.cat.codes)
    X, y = codes.drop(columns="Mek"), codes["Mek"]
    queries = [(name, "Mek", ()) for name in X]
    assert sci_bits(X, y) == pytest.approx([r.score_bits for r in bitsep.evaluate(codes, queries)])
    assert mutual_information_bits(X, y) == pytest.approx([r.cmi_bits for r in bitsep.evaluate(codes, queries)])
    in_nats = mutual_info_classif(X, y, discrete_features=True)
    assert mutual_information_bits(X, y) * np.log(2) == pytest.approx(in_nats, abs=1e-9)
    for score in (sci_bits, mutual_information_bits):
        assert "Raf" in SelectKBest(score, k=2).fit(X, y).get_feature_names_out()


def test_many_levels_do_not_fool_sci_bits():
    from bitsep.adapters.sklearn import mutual_information_bits, sci_bits

    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 500)
    X = np.column_stack([rng.integers(0, 100, 500), np.where(rng.random(500) < 0.7, rng.integers(0, 2, 500), y)])
    assert mutual_information_bits(X, y).argmax() == 0
    assert sci_bits(X, y).argmax() == 1
    assert sci_bits(X, y)[0] < 0


def test_the_example_shows_the_blanket_ahead(capsys):
    comparison = runpy.run_path(str(EXAMPLE))["compare"]()
    assert comparison.blanket_found
    assert comparison.accuracy_blanket > comparison.accuracy_best
    assert capsys.readouterr().out == ""
