"""The pictures of `nodia compare --suite accuracy`."""

import numpy as np
import pytest
from PIL import Image

from nodia_tools.plot_accuracy import curves_of, read_rows

HEADER = "case,n_node,n_contact,solver,true_error_mean,work_units,cpu_ms,reason"
ROWS = [
    "soft_ball,1464,90.8,auto,1e-2,40,2,",
    "soft_ball,1464,90.8,auto,1e-4,60,3,",
    "soft_ball,1464,90.8,pgs,1e-4,,150,",
    "soft_ball,1464,90.8,apgd,,,,\"too large, it factorises A\"",
    "box,2,4,auto,1e-17,8,0.01,",
    "box,2,4,cond,inf,8,0.01,",
]


def _write(path, header=HEADER, rows=ROWS):
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_curves_hold_what_is_known(tmp_path):
    rows = read_rows(_write(tmp_path / "a.csv"))
    assert len(rows) == 5
    time = curves_of(rows, "soft_ball", "cpu_ms")
    assert list(time) == ["auto", "pgs"]
    np.testing.assert_array_equal(time["auto"], [[1e-2, 1e-4], [2, 3]])
    assert list(curves_of(rows, "soft_ball", "work_units")) == ["auto"]
    errors = {solver: e[0] for solver, (e, _) in curves_of(rows, "box", "cpu_ms").items()}
    assert errors == {"auto": 1e-8, "cond": 1.0}  # drawn at the edges


@pytest.mark.parametrize("n_case", [1, 2, 9])
def test_draws(run_tool, tmp_path, n_case):
    rows = [f"c{k},5,2,{solver},1e-{k + 2},3,4," for k in range(n_case) for solver in ("auto", "cond")]
    pictures = [tmp_path / "t.png", tmp_path / "w.png"]
    done = run_tool("plot_accuracy", _write(tmp_path / "a.csv", rows=rows), *pictures)
    assert done.returncode == 0, done.stderr
    for picture in pictures:
        assert np.asarray(Image.open(picture).convert("L")).std() > 5


@pytest.mark.parametrize(
    "header, rows, message",
    [
        ("case,solver", ["a,b"], "column reason is missing"),
        (HEADER, ROWS[3:4], "holds no row"),
        (HEADER, ["a,many,1,auto,1,1,1,"], "n_node = many (must be a number)"),
    ],
)
def test_bad_tables_give_one_line_and_2(run_tool, tmp_path, header, rows, message):
    table = _write(tmp_path / "a.csv", header, rows)
    done = run_tool("plot_accuracy", table, tmp_path / "t.png", tmp_path / "w.png")
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1
