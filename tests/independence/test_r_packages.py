"""bitsep beside the R packages SCCI, bnlearn and pcalg: agreement, and each known disagreement by name.

A disagreement is not waved through: the flawed or different formula is written down here, and has to reproduce what
the R package printed. Columns that do not reproduce would show as a failure.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

import pytest

import bitsep
import golden
import twins
from golden import RRow
from twins.statistics import Sample, chi2_p_value, g2_statistic, information, sample

ROWS = golden.r_rows()
VARYING = [row for row in ROWS if row.values["MI_nats"] is not None]
R_PRECISION = 1e-8


@cache
def table_of(file: str) -> bitsep.Table:
    return bitsep.Table(golden.r_table(file))


def run(row: RRow, method: str, **options: object) -> bitsep.IndependenceResult:
    return bitsep.independence_test(table_of(row.file), row.x, row.y, given=list(row.given), method=method, **options)


def sample_of(row: RRow) -> Sample:
    return sample_by_question(row.file, row.x, row.y, row.given)


@cache
def sample_by_question(file: str, x: str, y: str, given: tuple[str, ...]) -> Sample:
    columns = golden.r_table(file)
    return sample([columns[x]], [columns[y]], [columns[name] for name in given])


def value(row: RRow, key: str) -> float:
    found = row.values[key]
    assert found is not None, (row.case, key)
    return found


def near(number: float) -> object:
    return pytest.approx(number, abs=R_PRECISION, rel=R_PRECISION)


by_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.case))
by_varying_row = pytest.mark.parametrize("row", VARYING, ids=lambda row: str(row.case))


# --- agreement --------------------------------------------------------------------------------------------------------


@by_row
def test_scci_fnml(row: RRow) -> None:
    result = run(row, "sci_f")
    assert result.score_bits == near(max(value(row, "fNML_raw_xy"), value(row, "fNML_raw_yx")))
    assert max(0.0, result.score_bits) == near(value(row, "fNML"))
    assert result.independent == (value(row, "fNML") <= 1e-7)


@by_row
def test_scci_conditional_stochastic_complexity(row: RRow) -> None:
    bits = bitsep.stochastic_complexity(table_of(row.file), row.x, given=list(row.given), code="fnml")
    assert bits == near(value(row, "condSC_x_Z"))


def approximated_domain(row: RRow) -> bool:
    """SCCI meets a regret with k > 100, which it approximates."""
    s = sample_of(row)
    return s.kx * s.ky * s.kz_observed > 100


def approximated_pair(row: RRow) -> bool:
    return sample_of(row).kxy_observed > 100


@pytest.mark.parametrize("row", [row for row in ROWS if not approximated_domain(row)], ids=lambda row: str(row.case))
def test_scci_qnml(row: RRow) -> None:
    score = run(row, "sci_q").score_bits
    for key in ("qNML_raw_xy", "qNML_raw_yx", "qNML_sym_raw"):
        assert score == near(value(row, key))
    assert max(0.0, score) == near(value(row, "qNML"))


@pytest.mark.parametrize("row", [row for row in ROWS if not approximated_pair(row)], ids=lambda row: str(row.case))
def test_scci_symmetric_fnml_is_sci_fs_with_observed_pairs(row: RRow) -> None:
    score = run(row, "sci_fs", xy_size="observed").score_bits
    assert score == near(value(row, "fNML_sym_raw"))
    assert max(0.0, score) == near(value(row, "fNML_sym"))


@by_varying_row
@pytest.mark.parametrize(("method", "key"), [("g2", "bn_mi"), ("x2", "bn_x2")])
def test_bnlearn(row: RRow, method: str, key: str) -> None:
    result = run(row, method, z_size="product")
    assert result.statistic == near(value(row, f"{key}_stat"))
    assert result.df == value(row, f"{key}_df")
    assert result.p_value == near(value(row, f"{key}_p"))


@by_varying_row
def test_bnlearn_mutual_information(row: RRow) -> None:
    assert run(row, "cmi").cmi_bits * math.log(2) == near(value(row, "MI_nats"))


@by_varying_row
def test_bnlearn_adjusted_degrees_of_freedom(row: RRow) -> None:
    assert run(row, "g2_adjusted").df == value(row, "bn_mi_adf_df")


@pytest.mark.parametrize("row", [row for row in VARYING if len(row.given) < 5], ids=lambda row: str(row.case))
def test_pcalg(row: RRow) -> None:
    assert run(row, "g2", z_size="product").p_value == near(value(row, "pcalg_p_nmin0"))
    small = run(row, "g2", z_size="product", min_rows_per_df=10)
    # Where rows are too few for the test, pcalg says 1, bitsep says that there is none.
    assert (1.0 if small.too_few_rows else small.p_value) == near(value(row, "pcalg_p"))
    assert small.too_few_rows == (small.p_value is None)
    assert small.independent == (value(row, "pcalg_p") >= 0.05)


# --- differences, each with its cause ---------------------------------------------------------------------------------


def szpankowski_weinberger(n: int, k: int) -> float:
    """The asymptotic regret SCCI takes for k > 100."""
    a = k / n
    c = 0.5 + 0.5 * math.sqrt(1 + 4 / a)
    return n * (math.log2(a) + (a + 2) * math.log2(c) - math.log2(math.e) / c) - 0.5 * math.log2(c + 2 / a)


def scci_regret(n: int, k: int) -> float:
    return szpankowski_weinberger(n, k) if k > 100 else twins.log2_regret(n, k)


@by_row
def test_difference_scci_approximates_the_regret_of_large_domains_in_qnml(row: RRow) -> None:
    s = sample_of(row)
    sizes = (s.kx * s.ky * s.kz_observed, s.kx * s.kz_observed, s.ky * s.kz_observed, s.kz_observed)
    flawed = [scci_regret(s.n, k) for k in sizes]
    assert information(s) - flawed[0] + flawed[1] + flawed[2] - flawed[3] == near(value(row, "qNML_raw_xy"))
    terms = sum(k > 100 for k in sizes)
    assert abs(run(row, "sci_q").score_bits - value(row, "qNML_raw_xy")) <= 2.7e-3 * terms + R_PRECISION


@by_row
def test_difference_scci_approximates_the_regret_of_large_domains_in_symmetric_fnml(row: RRow) -> None:
    s = sample_of(row)
    strata = Counter(s.z).values()
    flawed = sum(scci_regret(n, s.kxy_observed) - scci_regret(n, s.kx) - scci_regret(n, s.ky) for n in strata)
    assert information(s) - flawed == near(value(row, "fNML_sym_raw"))
    terms = len(strata) if s.kxy_observed > 100 else 0
    exact = run(row, "sci_fs", xy_size="observed").score_bits
    assert abs(exact - value(row, "fNML_sym_raw")) <= 2.7e-3 * terms + R_PRECISION


def test_the_approximation_does_matter_in_these_tables() -> None:
    apart = [row for row in ROWS if abs(run(row, "sci_q").score_bits - value(row, "qNML_raw_xy")) > 1e-4]
    assert len(apart) > 50


def test_difference_scci_packs_the_given_into_32_bits() -> None:
    # Eleven columns of eight levels need 33 bits. Z = (0, …, 0) and Z = (1 in the top digit that wraps) then collide.
    columns: dict[str, list[int]] = {f"z{i:02}": [0] * 200 for i in range(11)}
    columns["z00"] = [0, 4] * 100  # 4 · 8^10 = 2^32, which is 0 in 32 bits
    for i in range(11):
        columns[f"z{i:02}"] += list(range(8))
    columns["x"] = [0, 1] * 100 + [0] * 8
    columns["y"] = [0, 1] * 100 + [0] * 8
    given = sorted(name for name in columns if name.startswith("z"))
    rows = list(zip(*(columns[name] for name in given), strict=True))
    packed = [sum(digit * 8 ** (10 - i) for i, digit in enumerate(row)) % 2**32 for row in rows]
    x, y = [columns["x"]], [columns["y"]]
    assert not twins.evaluate(x, y, [packed])["independent"]  # the collision invents a dependence
    assert twins.evaluate(x, y, [columns[name] for name in given])["independent"]
    assert bitsep.independence_test(columns, "x", "y", given=given).independent


def test_difference_scci_reads_out_of_bounds_without_given() -> None:
    # What it reads there is unspecified; the rows at hand happened to come out right, and ours are right by design.
    rows = [row for row in ROWS if not row.given]
    assert len(rows) > 20
    for row in rows:
        columns = row.columns
        expected = twins.evaluate([columns[row.x]], [columns[row.y]], [])["score_bits"]
        assert run(row, "sci_f").score_bits == pytest.approx(expected, abs=1e-9)


@by_row
def test_difference_scci_dresses_the_score_per_row_as_a_p_value(row: RRow) -> None:
    # 2^(-6.643855 - score/n): just below 0.01 for whatever is dependent, so it "works" at alpha = 0.01 only.
    disguise = 2 ** (-6.643855 - value(row, "fNML") / row.n)
    assert value(row, "pSCCI") == near(disguise)
    assert run(row, "sci_f").p_value is None


@pytest.mark.parametrize("row", [row for row in VARYING if len(row.given) >= 5], ids=lambda row: str(row.case))
def test_difference_pcalg_gives_p_one_for_five_conditions_or_more(row: RRow) -> None:
    assert value(row, "pcalg_p_nmin0") == value(row, "pcalg_p") == 1.0
    assert run(row, "g2", z_size="product").p_value == near(value(row, "bn_mi_p"))


@pytest.mark.parametrize("row", [row for row in VARYING if len(row.given) < 5], ids=lambda row: str(row.case))
def test_difference_pcalg_adapts_degrees_of_freedom_as_if_all_were_binary(row: RRow) -> None:
    # df - (empty cells + 4 (2^|given| - |Z|)): the correction of its binary test, which here can even raise df.
    s = sample_of(row)
    df = (s.kx - 1) * (s.ky - 1) * s.kz_product
    if row.given:
        empty = s.kx * s.ky * s.kz_product - len(set(zip(s.x, s.y, s.z, strict=True)))
        df = max(1, df - (empty + 4 * (2 ** len(row.given) - s.kz_product)))
    assert chi2_p_value(g2_statistic(s), df) == near(value(row, "pcalg_adf_p_nmin0"))


@by_varying_row
def test_difference_bnlearn_does_not_decide_below_five_rows_per_cell(row: RRow) -> None:
    s = sample_of(row)
    result = run(row, "g2_adjusted")
    if s.n < 5 * s.kx * s.ky * s.kz_product:
        assert (value(row, "bn_mi_adf_stat"), value(row, "bn_mi_adf_p")) == (0.0, 1.0)
        assert result.statistic == near(value(row, "bn_mi_stat"))
    else:
        assert result.statistic == near(value(row, "bn_mi_adf_stat"))
        assert result.p_value == near(value(row, "bn_mi_adf_p"))


@pytest.mark.parametrize("row", [row for row in ROWS if row not in VARYING], ids=lambda row: str(row.case))
def test_difference_bnlearn_and_pcalg_refuse_constant_columns(row: RRow) -> None:
    assert min(len(set(column)) for column in row.columns.values()) == 1
    for method in ("g2", "x2", "g2_adjusted"):
        result = run(row, method)
        assert result.p_value is not None
        assert 0.0 <= result.p_value <= 1.0


def test_default_degrees_of_freedom_differ_from_the_r_packages_by_design() -> None:
    # Observed joint values of Z, not the product of its domains: fewer where combinations never occur.
    fewer = [row for row in VARYING if run(row, "g2").df != value(row, "bn_mi_df")]
    assert len(fewer) == 111
    for row in fewer:
        s = sample_of(row)
        assert run(row, "g2").df == (s.kx - 1) * (s.ky - 1) * s.kz_observed
        assert s.kz_observed < s.kz_product
