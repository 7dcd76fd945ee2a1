"""The picture of `nodia scale`."""

import numpy as np
import pytest
from PIL import Image

from nodia_tools.plot_scale import power_law, read_table, with_law

HEADER = "solver,rule,n_node,work_units,solver_ms,dynamics_ms,reached,left_out"
ROWS = [
    'cond,"own",1477,120,7.5,3,1,""',
    'cond,"own",500,80,1.6,1,1,""',
    'cond,"true error <= 0.001",500,90,1.8,1,1,""',
    'pgs,"own",500,,70,1,0,""',
    'pgs,"own",1477,,,3,,"a solve took 70 s, more than 60 s"',
]


def _write(path, header=HEADER, rows=ROWS):
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_reads_what_was_measured_by_solver_and_rule_in_the_order_of_nodes(tmp_path):
    table = read_table(_write(tmp_path / "a.csv"))
    assert list(table) == [("cond", "own"), ("cond", "true error <= 0.001"), ("pgs", "own")]
    np.testing.assert_array_equal(table["cond", "own"]["n_node"], [500, 1477])
    np.testing.assert_array_equal(table["cond", "own"]["solver_ms"], [1.6, 7.5])
    np.testing.assert_array_equal(table["pgs", "own"]["n_node"], [500])
    assert np.isnan(table["pgs", "own"]["work_units"]).all()


def test_power_law_finds_exponent_and_factor():
    n = np.array([500.0, 1500, 6000, 25000])
    exponent, factor = power_law(n, 3e-4 * n**1.25)
    assert exponent == pytest.approx(1.25) and factor == pytest.approx(3e-4)
    assert power_law(n[:1], n[:1]) is None
    assert with_law("cond", n, n**1.25) == "cond: n^1.25"
    assert with_law("cond", n[:1], n[:1]) == "cond"


@pytest.mark.parametrize("more", [False, True])
def test_draws(run_tool, tmp_path, more):
    header, rows = HEADER, ROWS
    if more:
        header += ",us_per_iteration,read_us"
        rows = [ROWS[0] + ",61,45", ROWS[1] + ",20,15"] + [row + ",," for row in ROWS[2:]]
    done = run_tool("plot_scale", _write(tmp_path / "a.csv", header, rows), tmp_path / "a.png")
    assert done.returncode == 0, done.stderr
    assert np.asarray(Image.open(tmp_path / "a.png").convert("L")).std() > 5


@pytest.mark.parametrize(
    "header, rows, message",
    [
        ("solver,rule,n_node", ["cond,own,5"], "column solver_ms is missing"),
        (HEADER, [], "holds no row"),
        (HEADER, ["cond,own,many,1,1,1,1,"], "n_node = many (must be a number)"),
        (HEADER, ["cond,own,5,1"], "must be a number"),
    ],
)
def test_bad_tables_give_one_line_and_2(run_tool, tmp_path, header, rows, message):
    done = run_tool("plot_scale", _write(tmp_path / "a.csv", header, rows), tmp_path / "a.png")
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_missing_table(run_tool, tmp_path):
    done = run_tool("plot_scale", tmp_path / "none.csv", tmp_path / "a.png")
    assert done.returncode == 2 and "none.csv" in done.stderr
