"""The picture of `nodia scale`."""

import numpy as np
import pytest
from PIL import Image

from nodia_tools.plot_scale import power_law, read_table

HEADER = (
    "solver,n_node,n_dof,iterations_paper,iterations_residual,us_per_iteration,solver_ms,"
    "dynamics_ms,memory_MB"
)
ROWS = [
    "cond,1477,4431,40,120,61,7.5,3,8",
    "cond,500,1500,30,80,20,1.6,1,3",
    "pgs,500,1500,90,,80,70,1,30",
]


def _write(path, header=HEADER, rows=ROWS):
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_reads_columns_by_solver_in_the_order_of_nodes(tmp_path):
    table = read_table(_write(tmp_path / "a.csv"))
    assert list(table) == ["cond", "pgs"]
    np.testing.assert_array_equal(table["cond"]["n_node"], [500, 1477])
    np.testing.assert_array_equal(table["cond"]["solver_ms"], [1.6, 7.5])
    assert np.isnan(table["pgs"]["iterations_residual"]).all()


def test_power_law_finds_exponent_and_factor():
    n = np.array([500.0, 1500, 6000, 25000])
    exponent, factor = power_law(n, 3e-4 * n**1.25)
    assert exponent == pytest.approx(1.25) and factor == pytest.approx(3e-4)
    assert power_law(n[:1], n[:1]) is None


@pytest.mark.parametrize("more", [False, True])
def test_draws(run_tool, tmp_path, more):
    header, rows = HEADER, ROWS
    if more:
        header += ",read_us,in_cache,note"
        rows = [ROWS[0] + ",45,0,x", ROWS[1] + ",15,1,y", ROWS[2] + ",,,"]
    done = run_tool("plot_scale", _write(tmp_path / "a.csv", header, rows), tmp_path / "a.png")
    assert done.returncode == 0, done.stderr
    assert np.asarray(Image.open(tmp_path / "a.png").convert("L")).std() > 5


@pytest.mark.parametrize(
    "header, rows, message",
    [
        ("solver,n_node", ["cond,5"], "column iterations_paper is missing"),
        (HEADER, [], "holds no row"),
        (HEADER, ["cond,many,1,1,1,1,1,1,1"], "n_node = many (must be a number)"),
        (HEADER, ["cond,5,1"], "must be a number"),
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
