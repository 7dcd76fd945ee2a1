"""The picture of `nodia bench`."""

import numpy as np
import pytest

from nodia_tools.plot_bench import read_rows, series_of

HEADER = (
    "case,backend,n_node,n_env,precision,threads,format,us_per_iteration,ratio_to_eigen_csr,"
    "share_of_copy_bandwidth,env_steps_per_s,ratio_to_read_time"
)
ROWS = [
    "iteration,cpu,6000,1,double,1,block_csr,160,0.5,0.4,,1.5",
    "iteration,cpu,1500,1,double,1,block_csr,40,0.45,0.5,,1.7",
    "batch_step,cpu,1500,64,double,2,,,,,120,",
]


def _write(path, header=HEADER, rows=ROWS):
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_series_are_in_the_order_of_nodes_and_leave_out_what_was_not_measured(tmp_path):
    rows = read_rows(_write(tmp_path / "a.csv"))
    series = series_of(rows, "us_per_iteration", "n_node", None)
    assert list(series) == ["iteration, cpu, double, 1 threads"]
    np.testing.assert_array_equal(*series.values(), [[1500, 6000], [40, 160]])
    batches = series_of(rows, "env_steps_per_s", "n_env", ("batch_step",))
    assert list(batches) == ["batch_step, cpu, double, 2 threads, 1500 nodes"]


@pytest.mark.parametrize(
    "header, rows, message",
    [
        ("case,backend", ["iteration,cpu"], "column precision is missing"),
        (HEADER, [], "holds no row"),
        (HEADER, [ROWS[0].replace("160", "many")], "us_per_iteration = many (must be a number)"),
    ],
)
def test_bad_tables_give_one_line_and_2(run_tool, tmp_path, header, rows, message):
    done = run_tool("plot_bench", _write(tmp_path / "a.csv", header, rows), tmp_path / "a.png")
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
