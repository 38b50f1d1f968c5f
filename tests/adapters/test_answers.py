"""What the adapters share: answers one by one, p-values, missing hosts. No host is needed here."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import bitsep
from adapters.questions import raised
from bitsep.adapters import _answers
from bitsep.adapters._answers import Answers
from bitsep.adapters._verdicts import p_value_rule, reported_p_value
from bitsep.errors import ArgumentError, DataError, UnknownColumnError
from bitsep.independence import METHODS


def all_queries(width, most_given=3):
    for x, y in itertools.permutations(range(width), 2):
        rest = [v for v in range(width) if v not in (x, y)]
        for size in range(most_given + 1):
            yield from ((x, y, given) for given in itertools.combinations(rest, size))


@pytest.fixture
def with_gaps(mixed):
    gaps = mixed.astype(float)
    gaps[np.random.default_rng(1).random(gaps.shape) < 0.1] = np.nan
    return gaps


@pytest.mark.parametrize("method", METHODS)
def test_answers_are_those_of_evaluate(mixed, method):
    queries = list(all_queries(5))
    random.Random(3).shuffle(queries)
    answers = Answers(mixed, method)
    for query, result in zip(queries, bitsep.evaluate(mixed, queries, method), strict=True):
        answer = answers.ask(*query)
        assert answer.independent == result.independent
        assert answer.p_value == reported_p_value(result, "verdict")
        assert answer.cmi_bits == result.cmi_bits
        assert answer.statistic == (result.score_bits if result.statistic is None else result.statistic)


def test_order_of_questions_changes_nothing(with_gaps):
    queries = list(all_queries(5))
    expected = [Answers(with_gaps).ask(*query) for query in queries]
    for seed in range(3):
        order = random.Random(seed).sample(range(len(queries)), len(queries))
        answers = Answers(with_gaps)
        got = {i: answers.ask(*queries[i]) for i in order}
        assert [got[i] for i in range(len(queries))] == expected


def test_forgetting_changes_nothing(mixed, monkeypatch):
    queries = list(all_queries(5))
    expected = [Answers(mixed).ask(*query) for query in queries]
    monkeypatch.setattr(_answers, "MAX_CACHED", 5)
    monkeypatch.setattr(_answers, "MAX_SUBSETS", 2)
    answers = Answers(mixed)
    assert [answers.ask(*query) for query in queries] == expected


def test_many_threads_get_the_answers_of_one(mixed, monkeypatch):
    monkeypatch.setattr(_answers, "MAX_CACHED", 50)
    queries = list(all_queries(5)) * 4
    expected = [Answers(mixed).ask(*query) for query in queries]
    answers = Answers(mixed)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda query: answers.ask(*query), queries)) == expected


@pytest.mark.parametrize(
    "query", [(0, 9, ()), (-1, 2, ()), (0, 0, ()), (0, 1, (1,)), (0, 1, (0,)), (0, 1, (7,)), ("0", 1, ())]
)
def test_errors_are_those_of_the_native_entry(mixed, query):
    assert raised(Answers(mixed).ask, *query) == raised(bitsep.evaluate, mixed, [query])


@pytest.mark.parametrize("data", [np.zeros((0, 3)), np.zeros(3), np.random.default_rng(0).random((500, 2))])
def test_unusable_data_are_refused_as_natively(data):
    assert raised(Answers, data) == raised(bitsep.evaluate, data, [])


def test_a_question_no_row_can_answer_is_independent_as_in_a_search():
    data = {"a": [0, 1, None, None], "b": [None, None, 0, 1], "c": [0, 1, 0, 1]}
    assert Answers(data).ask("a", "b").independent == bitsep.evaluate(data, [("a", "b", ())])[0].independent
    assert Answers(data).ask("a", "b").p_value == 1.0


def test_repeated_and_unordered_conditions(mixed):
    answers = Answers(mixed)
    assert answers.ask(0, 2, [3, 1, 3]) == answers.ask(2, 0, np.array([1, 3]))


def test_copies_answer_alike(mixed):
    answers = Answers(mixed, "cmi", threshold=0.01)
    for other in (copy.deepcopy(answers), pickle.loads(pickle.dumps(answers))):
        assert other.ask(0, 2, (1,)) == answers.ask(0, 2, (1,))


def test_a_test_of_ones_own(mixed):
    class AtLeast:
        name = "at_least"

        def judge(self, counts):
            return bitsep.Judgment(threshold_bits=0.1 * counts.n)

    answers = Answers(mixed, AtLeast())
    for query in all_queries(5, 1):
        result = bitsep.independence_test(mixed, *query, method=AtLeast())
        assert answers.ask(*query).independent == result.independent


def test_hypercompression_is_the_paper_s_sparsification(mixed):
    answers = Answers(mixed, "sci_f", "hypercompression")
    for query in all_queries(5, 1):
        result = bitsep.independence_test(mixed, *query)
        p = answers.ask(*query).p_value
        assert p == pytest.approx(result.no_hypercompression_bound, rel=1e-12)
        for alpha in (0.05, 1e-6):
            demanding = bitsep.independence_test(mixed, *query, alpha=alpha)
            assert (p >= alpha) == demanding.independent


def test_rounding_is_no_evidence():
    # Y is a function of Z: the score is 0 but for rounding, and 2^-score must not fall below 1.
    z = np.arange(600) % 6
    data = np.column_stack([np.random.default_rng(0).integers(0, 3, 600), z // 2, z])
    assert Answers(data, "sci_f", "hypercompression").ask(0, 1, (2,)).p_value == 1.0


def test_what_p_values_can_be():
    with pytest.raises(ArgumentError, match="'verdict', 'hypercompression'"):
        p_value_rule("sci_f", "bits")
    for method in ("g2", "jic", "cmi"):
        with pytest.raises(ArgumentError, match="SCI"):
            p_value_rule(method, "hypercompression")


def test_unknown_methods_and_columns(mixed):
    with pytest.raises(ArgumentError, match="sci_f"):
        Answers(mixed, "sci_ff")
    with pytest.raises(UnknownColumnError, match="99"):
        Answers(mixed).ask(0, 99)
    with pytest.raises(DataError, match="no rows"):
        Answers(mixed[:0])


@pytest.mark.parametrize(
    ("adapter", "host", "command"),
    [
        ("causallearn", "causallearn", 'pip install "bitsep[causallearn]"'),
        ("pgmpy", "pgmpy", 'pip install "bitsep[pgmpy]"'),
        ("tigramite", "tigramite", 'pip install "bitsep[tigramite]"'),
        ("sklearn", "sklearn", 'pip install "bitsep[sklearn]"'),
    ],
)
def test_an_absent_host_is_named_with_the_command_that_installs_it(adapter, host, command):
    code = (
        f"import sys; sys.modules[{host!r}] = None\n"
        "import bitsep\n"
        f"try: bitsep.adapters.{adapter}\n"
        "except bitsep.errors.MissingDependencyError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert command in done.stdout


def test_adapters_are_imported_on_demand():
    code = "import sys, bitsep; bitsep.adapters; print([m for m in sys.modules if m.startswith('bitsep.adapters.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="no attribute"):
        _ = bitsep.adapters.dowhy
