"""Networks in other programs: what bitsep writes as BIF, pgmpy and pyAgrum read with the same probabilities."""

from __future__ import annotations

import numpy as np
import pytest

import bitsep

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]


@pytest.fixture
def network() -> bitsep.Network:
    """A fitted network with names and levels that both programs refuse unless they are made plain."""
    rows = bitsep.load_network("survey").sample(500, seed=1).rename(columns={"E": "Education, level", "A": "3rd"})
    rows["T"] = rows["T"].cat.rename_categories(["(0, 1]", "(1, 2]", "1.5"])
    graph = bitsep.DAG(
        rows.columns, [("3rd", "Education, level"), ("S", "Education, level"), ("Education, level", "T")]
    )
    return bitsep.Network.fit(graph, rows)


def test_pgmpy_reads_it(network, tmp_path):
    from pgmpy import readwrite

    network.to_bif(tmp_path / "network.bif", plain=True)
    plain = bitsep.read_bif(tmp_path / "network.bif")
    model = readwrite.BIFReader(str(tmp_path / "network.bif")).get_model()
    assert set(model.edges()) == set(plain.edges)
    for name in plain.variables:
        cpd = model.get_cpds(name)
        order = [cpd.variables.index(part) for part in (*plain.parents(name), name)]
        assert [cpd.state_names[name], len(order)] == [list(plain.levels(name)), len(cpd.variables)]
        np.testing.assert_allclose(np.transpose(cpd.values, order), plain.cpt(name), rtol=0, atol=1e-6)


def test_pyagrum_reads_it(network, tmp_path):
    import pyagrum

    network.to_bif(tmp_path / "network.bif", plain=True)
    plain = bitsep.read_bif(tmp_path / "network.bif")
    model = pyagrum.loadBN(str(tmp_path / "network.bif"))
    for name in plain.variables:
        table = model.cpt(name)
        order = [list(reversed(table.names)).index(part) for part in (*plain.parents(name), name)]
        assert model.variable(name).labels() == plain.levels(name)
        # pyAgrum reads probabilities with single precision
        np.testing.assert_allclose(np.transpose(table.toarray(), order), plain.cpt(name), rtol=0, atol=1e-6)
