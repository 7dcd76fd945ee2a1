"""`nodia study`: the curves behind the figures on impulse-level solvers."""

import csv
import io
import json
import math

import pytest
from nodia_command import BINARY, expect_bad_input, needs_nodia, run

pytestmark = needs_nodia

NAMES = (
    [study["study"] for study in json.loads(run("study", "--json").stdout)["studies"]]
    if BINARY.exists()
    else []
)


def rows_of(name):
    done = run("study", name, "--json")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return json.loads(done.stdout)["rows"]


@pytest.mark.parametrize("name", NAMES)
def test_every_study_is_a_table(name):
    table = json.loads(run("study", name, "--json").stdout)
    assert table["format"] == "nodia_study" and table["format_version"] == 1
    columns = [column["name"] for column in table["columns"]]
    assert table["study"] == name and table["title"] and len(table["rows"]) > 10
    assert all(column["unit"] and column["meaning"] for column in table["columns"])
    assert all(list(row) == columns for row in table["rows"])
    text = run("study", name, "--csv").stdout
    lines = list(csv.reader(io.StringIO(text)))
    assert lines[0] == columns and len(lines) == len(table["rows"]) + 1
    for line, row in zip(lines[1:], table["rows"]):
        for cell, value in zip(line, row.values()):
            assert cell == ("" if value is None else value) or float(cell) == value


def test_list():
    table = json.loads(run("study", "--json").stdout)
    assert table["format"] == "nodia_studies" and table["format_version"] == 1
    done = run("study")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] == NAMES


def test_iterations_of_the_particle():
    found = {
        (row["formulation"], round(row["r"], 9)): row["iterations"]
        for row in rows_of("lu_fig2")
        if row["gravity_m_s2"] == -10
    }
    for r, expected in ((0.1, 53), (0.25, 20), (0.5, 8), (0.75, 4), (1, 1), (1.5, 8), (1.9, 54)):
        assert abs(found["cone", r] - expected) <= 1
    for r, expected in ((0.1, 133), (0.25, 61), (0.5, 42), (0.75, 56)):
        assert abs(found["four_facets", r] - expected) <= 1
    assert found["four_facets", 1.25] == 300


def test_relaxation_sets_the_floor():
    floors = {}
    for name in ("lu_fig3", "lu_fig5"):
        rows = [r for r in rows_of(name) if r["formulation"] == "cone" and r["r"] == 0.9]
        floors[name] = rows[-1]["phi"]
    assert floors["lu_fig3"] < 1e-8
    assert floors["lu_fig5"] == pytest.approx(0.35e-6, rel=0.1)


def test_point_mass_contracts_as_theory_tells():
    for row in rows_of("schindler_contraction"):
        assert row["contraction"] == pytest.approx(row["theory"], abs=1e-9)
        converges = 0 < row["r_over_m"] < 1.99
        if converges or row["r_over_m"] > 2.01:
            assert (row["status"] == "converged") == converges


def test_painleve_map_agrees_with_theory():
    seen = set()
    for row in rows_of("painleve_map"):
        seen.add(row["theory"])
        solutions = [row[k] for k in ("lambda_1", "lambda_2") if row[k] is not None]
        assert len(solutions) == {"none": 0, "unique": 1, "two": 2}[row["theory"]]
        for solver in ("lemke", "prox", "fischer"):
            if row[solver] == "converged":
                assert any(
                    math.isclose(row[f"{solver}_lambda"], s, rel_tol=1e-4, abs_tol=1e-4)
                    for s in solutions
                ), row
        if row["theory"] == "none":
            assert row["lemke"] == "infeasible"
        else:
            assert row["lemke"] == "converged"
        if row["theory"] == "two":
            assert (row["prox"] == "converged") == (row["start"] < row["lambda_2"])
    assert seen == {"none", "unique", "two"}


def test_newton_converges_globally_and_quadratically():
    rows = rows_of("sun_convergence")
    # With mu = |Psi|^2 as printed, far starts take more than the 500 steps of the study.
    assert {r["status"] for r in rows if r["damping"] < 1 or r["start"] == 0} == {"converged"}
    for row in rows:
        ratio, psi = row["psi_over_square"], row["psi"]
        if ratio is not None and row["problem"] == "particle" and 1e-12 < psi < 1e-4:
            assert ratio < 20


def test_energy_error_vanishes_on_the_solution_alone():
    for row in rows_of("enzenhofer_fig1"):
        x, w = row["x"], row["w"]
        low, high = (0, math.inf) if row["constraint"] == "normal" else (-1, 1)
        solved = (low < x < high and w == 0) or (x == low and w >= 0) or (x == high and w <= 0)
        assert (row["error"] == 0) == solved


def test_bad_words():
    expect_bad_input(run("study", "lu_fgi2"), "lu_fgi2", "did you mean lu_fig2?")
    expect_bad_input(run("study", "lu_fig2", "--json", "--csv"), "--json and --csv")
    expect_bad_input(run("study", "lu_fig2", "extra"))
