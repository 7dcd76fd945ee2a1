"""`nodia solve`: problems from files, of every kind, and steps of scenarios."""

import csv
import json

import h5py
import numpy as np
import pytest
from nodia_command import expect_bad_input, needs_nodia, run, scenario

pytestmark = needs_nodia

# u = W r + q: a block pressed down and pushed aside, friction 0.5: it slides.
SLIDING = """\
3
1
0
3
3
3	3
2 0 0
0 1 0
0 0 1
-2 3 0
0.5
"""

# The same in a plane.
SLIDING_2D = "2 1 0 2 2 2 2 2 0 0 1 -2 3 0.5 0"

JSON_KEYS = {
    "format",
    "format_version",
    "problem",
    "kind",
    "dimension",
    "n_dof",
    "n_contact",
    "solver",
    "status",
    "iterations",
    "time_s",
    "error_siconos",
    "natural_map_error",
    "error_estimate",
    "energy_error_J",
    "relative_residual",
}


@pytest.fixture
def sliding(tmp_path):
    path = tmp_path / "sliding.dat"
    path.write_text(SLIDING)
    return path


def siconos_error(p, v, r):
    """error_siconos of a global fclib file, written down anew."""
    g = p["fclib_global"]

    def dense(m):
        a = np.zeros((m["m"][0], m["n"][0]))
        begin, row, x = m["p"][()], m["i"][()], m["x"][()]
        for j in range(a.shape[1]):
            for k in range(begin[j], begin[j + 1]):
                a[row[k], j] += x[k]
        return a

    M, H = dense(g["M"]), dense(g["H"])
    q, b, mu = (g["vectors"][k][()] for k in ("f", "w", "mu"))
    u = H.T @ v + b
    total = 0.0
    for c, m in enumerate(mu):
        rc, uc = r[3 * c : 3 * c + 3], u[3 * c : 3 * c + 3].copy()
        uc[0] += m * np.hypot(uc[1], uc[2])
        y = rc - uc
        t = np.hypot(y[1], y[2])
        if t <= m * y[0]:
            projected = y
        elif m * t <= -y[0]:
            projected = np.zeros(3)
        else:
            n = (y[0] + m * t) / (1 + m * m)
            projected = np.array([n, m * n * y[1] / t, m * n * y[2] / t])
        total += np.sum((rc - projected) ** 2)
    norm = np.linalg.norm
    dynamics = norm(q + H @ r - M @ v) / max(norm(q), norm(M @ v), norm(H @ r))
    return dynamics + np.sqrt(total) / max(norm(u), norm(r))


@pytest.mark.parametrize("solver", ["auto", "proximal_newton", "pgs", "apgd", "cond"])
def test_a_local_problem_has_the_answer_found_by_hand(sliding, tmp_path, solver):
    out = tmp_path / "answer.h5"
    done = run("solve", sliding, "--solver", solver, "--tolerance", "1e-9", "--json", "--out", out)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert JSON_KEYS <= set(report)
    assert report["format"] == "nodia_solve" and report["format_version"] == 1
    assert report["kind"] == "local" and report["dimension"] == 3 and report["n_contact"] == 1
    assert report["status"] == "converged" and report["error_siconos"] <= 1e-9
    assert report["solver"] == ("proximal_newton" if solver == "auto" else solver)
    with h5py.File(out) as answer:
        np.testing.assert_allclose(answer["r"][()], [1, -0.5, 0], atol=1e-7)
        np.testing.assert_allclose(answer["u"][()], [0, 2.5, 0], atol=1e-7)


@pytest.mark.parametrize("number", ["1e400", "-1e999", "1e310"])
def test_a_number_beyond_double_is_refused_with_its_line(tmp_path, number):
    path = tmp_path / "sliding.dat"
    path.write_text(SLIDING.replace("-2 3 0", f"{number} 3 0"))
    expect_bad_input(run("solve", path), f"sliding.dat:10: q = {number} (must be a finite number")
    path.write_text(SLIDING.replace("0 0 1", f"0 0 {number}"))
    expect_bad_input(run("solve", path), f"sliding.dat:9: dense matrix = {number}")


@pytest.mark.parametrize(
    ("line", "changed", "said"),
    [
        ("-2 3 0", "-2 3", "sliding.dat:10: q = 2 values in this line (must be 3"),
        ("0 1 0", "0 1", "sliding.dat:8: dense matrix = 2 values in this line"),
        ("0.5", "", "flag of a first guess"),
    ],
)
def test_a_value_too_few_is_refused_though_a_flag_follows(tmp_path, line, changed, said):
    path = tmp_path / "sliding.dat"
    path.write_text(SLIDING.replace(f"\n{line}\n", f"\n{changed}\n") + "0\n")
    expect_bad_input(run("solve", path), said)


# Two contacts, the second far from sliding: with 1e308 at the first every norm is infinite.
TWO_CONTACTS = (
    "3\n2\n0\n6\n6\n6 6\n"
    + "".join(" ".join("1" if i == j else "0" for i in range(6)) + "\n" for j in range(6))
    + "-1 NUMBER 0 -1 0.1 0\n0.5 0.5\n"
)


@pytest.mark.parametrize("solver", ["auto", "proximal_newton", "cond", "pgs", "apgd", "prox", "ccs"])
def test_norms_that_overflow_are_not_a_number(tmp_path, solver):
    path = tmp_path / "two.dat"
    path.write_text(TWO_CONTACTS.replace("NUMBER", "1e308"))
    done = run("solve", path, "--solver", solver, "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert report["status"] == "not_a_number" and report["reason"]
    assert report["error_siconos"] is None
    path.write_text(TWO_CONTACTS.replace("NUMBER", "1"))
    assert run("solve", path, "--solver", solver).returncode == 0


def test_one_huge_value_of_a_file_hides_no_other_contact(scenario, tmp_path):
    """In w of an fclib file and in phi of a file of our own."""
    exported, own = tmp_path / "step.hdf5", tmp_path / "step.nodia.h5"
    assert run("solve", scenario, "--step", 10, "--export", "fclib", exported).returncode == 0
    assert run("solve", scenario, "--step", 10, "--export", "nodia", own).returncode == 0
    with h5py.File(exported, "r+") as file:
        file["fclib_global/vectors/w"][0] = 1e308
    own.write_bytes(own.read_bytes()[:-16])  # the checksum is that of the file before
    with h5py.File(own, "r+") as file:
        phi = file["contacts/phi"][()]
        phi[0, 0] = 1e308
        file["contacts/phi"][...] = phi
    for path in (exported, own):
        for solver in ("cond", "pgs"):
            done = run("solve", path, "--solver", solver, "--json")
            report = json.loads(done.stdout)
            assert done.returncode == 1
            assert report["status"] == "not_a_number" and report["reason"]


def test_a_plane_has_the_same_answer(tmp_path):
    path, out = tmp_path / "plane.dat", tmp_path / "answer.h5"
    path.write_text(SLIDING_2D)
    for solver in ("pgs", "cond"):
        done = run("solve", path, "--solver", solver, "--tolerance", "1e-9", "--out", out, "--overwrite")
        assert done.returncode == 0, done.stderr
        with h5py.File(out) as answer:
            np.testing.assert_allclose(answer["r"][()], [1, -0.5], atol=1e-7)


def test_a_step_of_a_scenario_is_exported_and_solved_by_others(scenario, tmp_path):
    exported, out = tmp_path / "step.hdf5", tmp_path / "answer.h5"
    done = run("solve", scenario, "--step", 10, "--export", "fclib", exported)
    assert done.returncode == 0, done.stderr
    reports = []
    for solver in ("cond", "pgs"):
        done = run("solve", exported, "--solver", solver, "--json", "--out", out, "--overwrite")
        assert done.returncode == 0, done.stderr
        reports.append(json.loads(done.stdout))
        with h5py.File(exported) as p, h5py.File(out) as answer:
            error = siconos_error(p, answer["v"][()], answer["r"][()])
        assert error == pytest.approx(reports[-1]["error_siconos"], rel=1e-3, abs=1e-14)
    assert reports[0]["kind"] == "global" and reports[0]["n_contact"] >= 4

    own = tmp_path / "step.nodia.h5"
    assert run("solve", scenario, "--step", 10, "--export", "nodia", own).returncode == 0
    done = run("solve", own, "--json", "--tolerance", "1e-8")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["error_siconos"] <= 1e-8


def test_not_converging_is_exit_code_1_with_a_reason(scenario):
    done = run(
        "solve", scenario, "--step", 10, "--solver", "cond", "--max-iterations", 8, "--json"
    )
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["status"] == "iteration_limit" and report["iterations"] == 8
    assert "not enough" in report["reason"]
    assert report["error_siconos"] > 1e-8


def test_auto_says_that_another_solver_follows(scenario):
    done = run("solve", scenario, "--step", 10, "--max-iterations", 2, "--json")
    report = json.loads(done.stdout)
    assert {t["solver"] for t in report["tried"]} == {"newton", "cond", "pgs", "apgd"}
    assert "another solver follows" in done.stderr


def test_the_table_has_every_solver_on_every_problem(sliding, tmp_path):
    (tmp_path / "plane.dat").write_text(SLIDING_2D)
    table = tmp_path / "table.csv"
    done = run("solve", tmp_path, "--table", "--solvers", "cond,pgs,apgd", "--csv", table)
    assert done.returncode == 0, done.stderr
    assert "sliding.dat" in done.stdout and "plane.dat" in done.stdout
    rows = list(csv.DictReader(table.open()))
    assert {(r["problem"], r["solver"]) for r in rows} == {
        (p, s) for p in ("sliding.dat", "plane.dat") for s in ("cond", "pgs", "apgd")
    }
    assert all(float(r["error_siconos"]) <= 1e-8 for r in rows)


def test_the_table_takes_all_solvers_of_single_problems(sliding, tmp_path):
    table = tmp_path / "table.csv"
    done = run("solve", tmp_path, "--table", "--csv", table)
    assert done.returncode == 0, done.stderr
    known = {s["name"] for s in json.loads(run("info", "--json").stdout)["solvers"]}
    assert {r["solver"] for r in csv.DictReader(table.open())} == known - {"xpbd", "auto"}


def test_bad_files_are_one_line(tmp_path):
    path = tmp_path / "bad.dat"
    path.write_text(SLIDING.replace("0.5", "-0.5"))
    expect_bad_input(run("solve", path), "bad.dat: mu[0] = -0.5 (must be finite and >= 0")
    path.write_text(SLIDING[:20])
    expect_bad_input(run("solve", path), "bad.dat:", "what the file holds")
    path.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    expect_bad_input(run("solve", path), "bad.dat")
    path.write_text(SLIDING.replace("2 0 0\n", "2 1 0\n"))
    expect_bad_input(run("solve", path), "asymmetry of W")


def test_bad_options_are_one_line(sliding, tmp_path):
    expect_bad_input(run("solve", sliding, "--solver", "pgx"), "pgx", "did you mean pgs")
    expect_bad_input(run("solve", sliding, "--tolerance", "0"), "tolerance")
    expect_bad_input(run("solve", sliding, "--max-iterations", "0"), "max_iterations")
    expect_bad_input(run("solve", sliding, "--set", "solver.virtal_gain=3"), "virtual_gain")
    expect_bad_input(run("solve", sliding, "--set", "time.step_s=3"), "solver.KEY=VALUE")
    expect_bad_input(run("solve", tmp_path / "none.dat"), "none.dat")
    expect_bad_input(
        run("solve", sliding, "--export", "matlab", tmp_path / "x"), "fclib or nodia"
    )


def test_steps_outside_of_the_scenario_are_refused(scenario):
    expect_bad_input(run("solve", scenario, "--step", 0), "--step = 0")
    expect_bad_input(run("solve", scenario, "--step", 31), "--step = 31", "from 1 to 30")
