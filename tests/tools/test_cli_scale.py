"""nodia scale: every solver at its own rule and at one true error, on meshes of several sizes."""

import csv
import json
import signal
import subprocess
import time

import pytest
from nodia_command import BINARY, SOURCE, needs_nodia, run

pytestmark = needs_nodia
MAT = SOURCE / "scenarios/soft_mat/soft_mat.yaml"
SHORT = ("--average", "2", "--skip", "3", "--threads", "1")
TARGET = "true error <= 0.001"


def table(folder):
    with (folder / "scale.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_solver_meets_the_target_on_every_size(tmp_path):
    done = run("scale", MAT, "--nodes", "200,100", *SHORT, "--out", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    root = json.loads(done.stdout)
    rows = root["rows"]
    assert [(row["n_node"] < 150, row["solver"], row["rule"]) for row in rows] == [
        (small, solver, rule)
        for small in (True, False)
        for solver in ("cond", "auto", "pgs", "apgd")
        for rule in ("own", TARGET)
    ]
    for row in rows:
        assert row["left_out"] == "" and row["failed_steps"] == 0
        assert row["solver_ms"] > 0 and row["memory_MB"] > 0
        assert row["reference_error"] < 1e-5
        of_cond = (row["solver"], row["rule"]) == ("cond", "own")
        assert (row["us_per_iteration"] is not None) == of_cond
        if row["rule"] == TARGET:
            assert row["reached"] and 0 < row["true_error"] <= 1e-3
    own = {row["solver"]: row["tolerance"] for row in rows if row["rule"] == "own"}
    assert own == {"cond": 1e-4, "auto": 1e-3, "pgs": 1e-4, "apgd": 1e-4}
    fits = {(f["solver"], f["rule"]): f["sizes"] for f in root["fits"] if f["where"] == "all sizes"}
    assert fits["auto", TARGET] == 2
    assert (tmp_path / "scale.png").is_file()
    assert [row["solver"] for row in table(tmp_path)] == [row["solver"] for row in rows]


def test_what_needs_more_time_than_the_limit_is_left_out_with_the_reason(tmp_path):
    words = ["--nodes", "100", *SHORT, "--solvers", "auto", "--limit-s", "1e-6", "--out", tmp_path]
    done = run("scale", MAT, *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("left out: a solve at tolerance") == 2
    for row in table(tmp_path):
        assert "more than 1e-06 s" in row["left_out"] and row["solver_ms"] == ""


def test_without_a_reference_there_are_no_errors(tmp_path):
    words = ["--nodes", "100", *SHORT, "--solvers", "cond", "--no-reference", "--out", tmp_path]
    done = run("scale", MAT, *words, "--max-iterations", "20", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["rows"]
    assert row["true_error"] is None and row["iterations"] == 20 and row["failed_steps"] == 2


@pytest.mark.parametrize(
    "words, message",
    [
        (["--solvers", "cnod"], "did you mean cond"),
        (["--nodes", "10"], "--nodes = 10"),
        (["--rows", "all"], "--rows = all (must be own or true_error"),
        (["--true-error", "0"], "--true-error = 0"),
        (["--limit-s", "0"], "--limit-s = 0"),
        (["--stop", "paper"], "--stop = paper"),
        (["--rows", "true_error", "--no-reference"], "--rows = true_error"),
    ],
)
def test_bad_words_give_one_line_and_2(tmp_path, words, message):
    done = run("scale", MAT, *words, "--out", tmp_path / "out")
    assert done.returncode == 2 and message in done.stderr, done.stderr
    assert done.stderr.count("\n") == 1 and not (tmp_path / "out").exists()


def test_an_interrupt_leaves_finished_rows(tmp_path):
    words = ["scale", MAT, "--nodes", "100,20000", "--solvers", "auto", "--rows", "own"]
    done = subprocess.Popen(
        [BINARY, *map(str, words), "--threads", "1", "--out", str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
    )
    end = time.monotonic() + 60
    while not (tmp_path / "scale.csv").exists() and time.monotonic() < end:
        time.sleep(0.02)
    done.send_signal(signal.SIGINT)
    out, _ = done.communicate(timeout=100)
    assert done.returncode == 130
    assert [row["solver"] for row in table(tmp_path)] == ["auto"] and "written to" in out
