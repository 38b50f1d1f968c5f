"""`bitsep pairs`: what it prints and writes."""

from __future__ import annotations

import bitsep


def test_json_is_the_result(call, asia):
    expected = bitsep.pairwise(bitsep.Table(asia), adjust="by")
    assert call("pairs", asia, "--adjust", "by", "--json").out.strip() == expected.to_json()


def test_table_and_heat_map(call, asia, tmp_path):
    shown = call("pairs", asia, "--plot", tmp_path / "pairs.png")
    assert shown.out.splitlines()[0] == bitsep.pairwise(bitsep.Table(asia)).title
    assert shown.out.splitlines()[-1].startswith("written: ")
    assert (tmp_path / "pairs.png").read_bytes().startswith(b"\x89PNG")


def test_columns_can_be_chosen(call, asia):
    out = call("pairs", asia, "--columns", "xray", "--columns", "smoke", "--method", "g2").out
    assert out.startswith("1 pair of 2 variables, 1 dependent (g2)")


def test_data_options_are_those_of_pairwise(call, tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_text(
        "x,y,z\n" + "".join(f"{i * 7 % 101 / 8},{i // 2 % 2},{'' if i % 3 else i % 2}\n" for i in range(202))
    )
    found = call("pairs", path, "--discretize", "equal-width:3", "--missing-as-level", "z", "--json").out.strip()
    expected = bitsep.pairwise(path, discretize="equal-width:3", missing_as_level="z")
    assert (found, expected.variables) == (expected.to_json(), ("x", "y", "z"))


def test_bad_options(call, asia):
    for options in (("--adjust", "none"), ("--plot", "pairs.txt"), ("--method", "sci_f", "--adjust", "by")):
        done = call("pairs", asia, *options)
        assert done.code == 2
        assert done.err.startswith("error: ")


def test_the_summary_says_what_an_alpha_does(call, asia):
    search = ("discover", asia, "--algorithm", "pc_stable")
    assert (
        "sci_f, whose threshold is 4.32 bits higher because of alpha = 0.05, in" in call(*search, "--alpha", 0.05).out
    )
    assert "(false discovery rate 0.05) in" in call(*search, "--method", "x2", "--fdr", 0.05).out
    assert call(*search, "--fdr", 0.05).code == 2
