"""Two runs as the same motion, or not."""

import csv

import numpy as np
import pytest
import synthetic_run

from nodia_tools.compare_runs import compare_runs, read_steps

HEADER = "env,step,time_s,n_contact,n_stick,n_slip,iterations,kinetic_energy_J,potential_energy_J"


def write_steps(directory, rows):
    with open(directory / "steps.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER.split(","))
        writer.writerows(rows)


@pytest.fixture
def two_runs(tmp_path):
    runs = [tmp_path / name for name in ("first", "second")]
    for directory in runs:
        directory.mkdir()
        synthetic_run.write_run(directory)
        write_steps(directory, [[0, k, 0.01 * k, 4, 2, 2, 100, 3e-3 * k, -5.0] for k in (1, 2, 3)])
    return runs


def test_equal_runs_pass(two_runs):
    verdict = compare_runs(*two_runs, 1e-9)
    assert verdict["status"] == "pass" and verdict["reason"] == ""
    assert verdict["steps"] == 3
    assert set(verdict["differences"].values()) == {0.0}
    assert {"position", "velocity", "contact_force"} <= set(verdict["differences"])


@pytest.mark.parametrize(("change", "passes"), [(4e-12, True), (1.2e-11, False)])
def test_energies_are_relative_to_the_largest_of_the_run(two_runs, change, passes):
    rows = [list(row.values()) for row in read_steps(two_runs[1])]
    rows[0][7] = float(rows[0][7]) + change  # 9e-3 J is the largest
    write_steps(two_runs[1], rows)
    verdict = compare_runs(*two_runs, 1e-9)
    assert (verdict["status"] == "pass") == passes
    assert verdict["differences"]["kinetic_energy_J"] == pytest.approx(change / 9e-3, rel=1e-4)


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        (6, 101, "step 2: iterations = 100 and 101"),
        (3, 5, "step 2: n_contact = 4 and 5"),
        (7, "nan", "kinetic_energy_J differs by nan"),
    ],
)
def test_what_is_counted_must_be_equal(two_runs, column, value, words):
    rows = [list(row.values()) for row in read_steps(two_runs[1])]
    rows[1][column] = value
    write_steps(two_runs[1], rows)
    verdict = compare_runs(*two_runs, 1e-9)
    assert verdict["status"] == "fail" and words in verdict["reason"]


def test_missing_steps_fail(two_runs):
    write_steps(two_runs[1], [])
    verdict = compare_runs(*two_runs, 1e-9)
    assert verdict["status"] == "fail" and verdict["reason"] == "3 and 0 rows in steps.csv"


def test_positions_are_compared(two_runs):
    import h5py

    with h5py.File(two_runs[1] / "trajectory.vtkhdf", "r+") as file:
        points = file["VTKHDF/Points"]
        values = points[()]
        values[-1, 2] += 1e-3 * np.ptp(values)
        points[...] = values
    verdict = compare_runs(*two_runs, 1e-9)
    assert verdict["status"] == "fail"
    assert verdict["reason"].startswith("position differs by")
    assert verdict["differences"]["velocity"] == 0
