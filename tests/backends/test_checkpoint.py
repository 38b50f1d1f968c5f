"""A discovery that is interrupted and started again."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bitsep
from bitsep import checkpoint
from bitsep.errors import ArgumentError, FormatError, WriteError
from bitsep.independence import open_engine
from bitsep.independence.engines.base import Tasks
from discovery.python_engine import DSeparation
from discovery.wrapped_engine import WrappedEngine

SPARK = pytest.param("spark", marks=[pytest.mark.slow, pytest.mark.filterwarnings("ignore::FutureWarning")])


class Interrupted(Exception):  # noqa: N818 -- stands for a power cut
    pass


class Watch:
    """Notes the sizes of sets an engine really tries, and interrupts it at one of its calls."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.sizes: list[int] = []
        self._stop_at = stop_at

    def engine(self, data: Any) -> WrappedEngine:
        return WrappedEngine(open_engine(data), self._note)

    def _note(self, tasks: Tasks) -> None:
        self.sizes.append(tasks.min_size)
        if len(self.sizes) == self._stop_at:
            raise Interrupted


@pytest.mark.parametrize("opened", ["memory", "stream"], indirect=True)
def test_resumes_after_the_last_finished_size(opened: Any, alarm: Path, tmp_path: Path) -> None:
    expected = bitsep.pc_stable(bitsep.Table(alarm))
    with pytest.raises(Interrupted):
        bitsep.pc_stable(Watch(stop_at=3).engine(opened(alarm)), checkpoint=tmp_path / "work")
    again = Watch()
    found = bitsep.pc_stable(again.engine(opened(alarm)), checkpoint=tmp_path / "work")
    assert again.sizes[0] == 2
    assert found.to_json() == expected.to_json()
    assert found.tests_run == expected.tests_run


@pytest.mark.parametrize("opened", ["memory", "stream"], indirect=True)
def test_resumes_in_the_bootstrap(opened: Any, awkward: Path, tmp_path: Path) -> None:
    def search(watch: Watch, **options: Any) -> str:
        data = opened(awkward, columns=["cause", "text", "number", "yes"])
        return bitsep.pc_stable(watch.engine(data), bootstrap=3, **options).to_json()

    whole = Watch()
    expected = search(whole)
    with pytest.raises(Interrupted):
        search(Watch(stop_at=len(whole.sizes) - 1), checkpoint=tmp_path)
    again = Watch()
    assert search(again, checkpoint=tmp_path) == expected
    assert len(again.sizes) == 2


def test_stream_that_finished_is_not_counted_again(alarm: Path, tmp_path: Path) -> None:
    bitsep.pc_stable(bitsep.scan_parquet(alarm), checkpoint=tmp_path, threads=1)
    scan = bitsep.scan_parquet(alarm)
    bitsep.pc_stable(scan, checkpoint=tmp_path, threads=1)
    assert scan.counter(1).passes_made == 2  # to see that the data are the same, and which columns are mostly missing


def test_the_folder_of_other_data_is_refused(alarm: Path, tmp_path: Path) -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    bitsep.pc_stable(data, checkpoint=tmp_path)
    relabelled = data.rename(columns={"asia": "asian"})
    for other in (data[:499], alarm, relabelled, data.drop(columns="asia"), bitsep.Table(data, weights=[2] * 500)):
        with pytest.raises(
            ArgumentError, match=r"checkpoint: the answers in .* are of other data\. Name another folder"
        ):
            bitsep.pc_stable(other, checkpoint=tmp_path)


def test_data_that_agree_in_the_tests_of_neighbors_by_name_are_told_apart(tmp_path: Path) -> None:
    """Columns a and b, and b and c, are independent in both tables; a and c only in the second."""
    draw = np.random.default_rng(1)
    a = draw.integers(0, 2, 400)
    first = {"a": a, "b": np.zeros(400, int), "c": a}
    second = {"a": a, "b": np.zeros(400, int), "c": draw.permutation(a)}
    assert bitsep.pc_stable(first, checkpoint=tmp_path).skeleton == {frozenset("ac")}
    with pytest.raises(ArgumentError, match="of other data"):
        bitsep.pc_stable(second, checkpoint=tmp_path)


OPTIONS = [
    ({"method": "sci_q"}, {"method": "sci_q", "z_size": "product"}),
    ({"method": "sci_fs"}, {"method": "sci_fs", "xy_size": "observed"}),
    ({"method": "cmi"}, {"method": "cmi", "threshold": 0.01}),
    ({"method": "g2"}, {"method": "g2", "min_rows_per_df": 5}),
    ({"method": "g2"}, {"method": "x2"}),
    ({"method": "g2"}, {"method": "g2", "alpha": 0.01}),
    ({}, {"alpha": 0.05}),
]


@pytest.mark.parametrize("opened", ["memory", "stream"], indirect=True)
@pytest.mark.parametrize(("first", "second"), OPTIONS)
def test_the_folder_of_other_options_is_refused(
    opened: Any, awkward: Path, tmp_path: Path, first: Any, second: Any
) -> None:
    columns = ["cause", "text", "number", "yes"]
    bitsep.pc_stable(opened(awkward, columns=columns), checkpoint=tmp_path, **first)
    with pytest.raises(ArgumentError, match="are of another test or other options"):
        bitsep.pc_stable(opened(awkward, columns=columns), checkpoint=tmp_path, **second)


def test_options_that_are_the_defaults_are_the_same_options(tmp_path: Path) -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    bitsep.pc_stable(data, method="g2", checkpoint=tmp_path)
    bitsep.pc_stable(data, method="g2", alpha=0.05, z_size="observed", min_rows_per_df=0, checkpoint=tmp_path)


class AtLeast:
    """Dependent if X tells more than so many bits per row about Y; given nothing, if it tells anything."""

    name = "at_least"

    def __init__(self, bits: float) -> None:
        self.bits = bits

    def judge(self, counts: bitsep.Counts) -> bitsep.Judgment:
        return bitsep.Judgment(threshold_bits=self.bits * counts.n if counts.kz > 1 else 0.0)


class Declared(AtLeast):
    """The same, with an identity."""

    @property
    def identity(self) -> str:
        return f"at least {self.bits} bits"


@pytest.mark.parametrize("opened", ["memory", "stream"], indirect=True)
def test_the_folder_of_another_test_of_ones_own_is_refused(opened: Any, awkward: Path, tmp_path: Path) -> None:
    columns = ["cause", "text", "number", "yes"]
    data = opened(awkward, columns=columns)
    loose = bitsep.pc_stable(data, method=Declared(0.01), checkpoint=tmp_path)
    assert bitsep.pc_stable(data, method=Declared(0.01), checkpoint=tmp_path).to_json() == loose.to_json()
    with pytest.raises(ArgumentError, match="of another test"):
        bitsep.pc_stable(data, method=Declared(0.4), checkpoint=tmp_path)


@pytest.mark.parametrize("identity", [None, "", 7])
def test_a_test_of_ones_own_without_an_identity_is_refused(tmp_path: Path, identity: object) -> None:
    test = AtLeast(0.01)
    if identity is not None:
        test.identity = identity  # type: ignore[attr-defined]
    data = bitsep.load_network("asia").sample(500, seed=1)
    with pytest.raises(ArgumentError, match=r"checkpoint: the test 'at_least' needs an attribute `identity`"):
        bitsep.pc_stable(data, method=test, checkpoint=tmp_path / "work")
    assert not (tmp_path / "work").exists()
    assert bitsep.pc_stable(data, method=test).skeleton


def test_an_engine_of_ones_own_without_an_identity_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="checkpoint: DSeparation has no method `identity`"):
        bitsep.pc_stable(DSeparation(["a", "b"], [("a", "b")]), checkpoint=tmp_path)


def test_the_folder_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    bitsep.pc_stable(data, checkpoint=tmp_path)
    for name, value in (("_FORMAT", 1), ("__version__", "0.0.9")):
        with monkeypatch.context() as patch:
            patch.setattr(checkpoint, name, value)
            with pytest.raises(ArgumentError, match="are of another version of bitsep"):
                bitsep.pc_stable(data, checkpoint=tmp_path)


def test_answers_without_an_identity_are_refused(tmp_path: Path) -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    bitsep.pc_stable(data, checkpoint=tmp_path)
    (tmp_path / "identity.json").unlink()
    with pytest.raises(ArgumentError, match="of an unknown origin"):
        bitsep.pc_stable(data, checkpoint=tmp_path)
    (tmp_path / "identity.json").write_text("{")
    with pytest.raises(FormatError, match=r"identity.json' is damaged"):
        bitsep.pc_stable(data, checkpoint=tmp_path)


SEARCHES: list[dict[str, Any]] = [
    {"max_given": 1},
    {},
    {"max_given": 0},
    {"knowledge": bitsep.Knowledge(required=[("smoke", "xray")], forbidden=[("lung", "either"), ("either", "lung")])},
    {"orientation": "majority"},
    {"orientation": "conservative", "knowledge": bitsep.Knowledge(tiers=[["asia", "smoke"], ["lung"]])},
    {"bootstrap": 2},
    {"bootstrap": 2, "seed": 1},
]


def test_searches_that_ask_other_questions_share_a_folder(tmp_path: Path) -> None:
    """The questions hold all that max_given, knowledge and the like change."""
    data = bitsep.load_network("asia").sample(500, seed=1)
    for options in SEARCHES * 2:
        found = bitsep.pc_stable(data, method="g2", checkpoint=tmp_path, **options)
        assert found.to_json() == bitsep.pc_stable(data, method="g2", **options).to_json()


def test_rows_in_another_order_have_bootstrap_samples_of_their_own(tmp_path: Path) -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    shuffled = data.sample(frac=1, random_state=2).reset_index(drop=True)
    expected = bitsep.pc_stable(shuffled, bootstrap=5).to_json()
    assert bitsep.pc_stable(data, bootstrap=5, checkpoint=tmp_path).to_json() != expected
    assert bitsep.pc_stable(shuffled, bootstrap=5, checkpoint=tmp_path).to_json() == expected


@pytest.mark.parametrize("opened", ["stream", "spilled", SPARK], indirect=True)
def test_a_search_continues_on_another_backend(opened: Any, awkward: Path, tmp_path: Path) -> None:
    options = {"columns": ["cause", "text", "number", "yes"], "weights": "weight"}
    expected = bitsep.pc_stable(bitsep.Table(awkward, **options), checkpoint=tmp_path).to_json()
    assert bitsep.pc_stable(opened(awkward, **options), checkpoint=tmp_path).to_json() == expected


@pytest.mark.parametrize("search", [bitsep.pc_stable, bitsep.boss])
@pytest.mark.parametrize(
    "damage", [lambda data: b"", lambda data: data[:50], lambda data: data[:100] + bytes(len(data) - 100)]
)
def test_damaged_answers_are_computed_again(search: Any, damage: Any, tmp_path: Path) -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    expected = search(data, bootstrap=2, checkpoint=tmp_path).to_json()
    files = {path: path.read_bytes() for path in tmp_path.rglob("*.npz")}
    for path, content in files.items():
        path.write_bytes(damage(content))
    assert search(data, bootstrap=2, checkpoint=tmp_path).to_json() == expected
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.npz")}.keys() == files.keys()
    assert all(np.load(path).files for path in files)


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    (tmp_path / "file").touch()
    with pytest.raises(WriteError, match="cannot be used"):
        bitsep.pc_stable(data, checkpoint=tmp_path / "file" / "folder")


def test_oracle(tmp_path: Path) -> None:
    oracle = bitsep.Oracle(bitsep.load_network("asia"))
    expected = bitsep.pc_stable(oracle).graph
    assert bitsep.pc_stable(oracle, checkpoint=tmp_path).graph == expected
    assert bitsep.pc_stable(oracle, checkpoint=tmp_path).graph == expected


def test_a_file_of_another_folder_is_noticed(tmp_path: Path) -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    for folder, rows in (("one", data), ("two", bitsep.load_network("asia").sample(500, seed=2))):
        bitsep.boss(rows, checkpoint=tmp_path / folder, bootstrap=2)
    one = next((tmp_path / "one").glob("score-*.npz"))
    sample, other = sorted((tmp_path / "one").glob("sample-*"))
    name = next(path.name for path in sample.glob("*.npz") if (other / path.name).exists())
    for source, target in ((tmp_path / "two" / one.name, one), (other / name, sample / name)):
        before = target.read_bytes()
        target.write_bytes(source.read_bytes())
        with pytest.raises(FormatError, match=r"npz' was written for other data or another question"):
            bitsep.boss(data, checkpoint=tmp_path / "one", bootstrap=2)
        target.write_bytes(before)


@pytest.mark.parametrize("algorithm", ["boss", "hill_climb", "pc_stable", "fci"])
def test_a_discovery_does_not_need_its_folder(algorithm: str, tmp_path: Path) -> None:
    data = bitsep.load_network("asia").sample(500, seed=1)
    search = getattr(bitsep, algorithm)
    found = search(data, checkpoint=tmp_path / "work")
    shutil.rmtree(tmp_path / "work")
    expected = search(data)
    assert found.to_json() == expected.to_json()
    assert found.explain("smoke", "xray") == expected.explain("smoke", "xray")
    assert not (tmp_path / "work").exists()
