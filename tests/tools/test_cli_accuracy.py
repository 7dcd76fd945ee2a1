"""nodia compare --suite accuracy: one small case end to end, bad input, interrupts."""

import csv
import json
import math
import signal
import subprocess
import time

import numpy as np
import pytest
from nodia_command import BINARY, expect_bad_input, needs_nodia, run
from PIL import Image

pytestmark = needs_nodia

SUITE = ("compare", "--suite", "accuracy")


def read(directory):
    with open(directory / "accuracy.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_small_case_end_to_end(tmp_path):
    words = ("--cases", "box_sliding", "--samples", "2", "--solvers", "cond,auto,pgs")
    done = run(*SUITE, *words, "--out", tmp_path / "out", "--json")
    assert done.returncode == 0 and done.stderr.count("\n") <= 1, done.stderr
    table = json.loads(done.stdout)
    assert table["format"] == "nodia_accuracy" and table["format_version"] == 1 and table["complete"]
    (case,) = table["cases"]
    assert case["case"] == "box_sliding" and case["samples"] == 2 and case["reference_error"] < 1e-7
    assert [curve["solver"] for curve in case["solvers"]] == ["auto", "cond", "pgs"]
    rows = read(tmp_path / "out")
    of_json = [row for curve in case["solvers"] for row in curve["rows"]]
    assert len(rows) == len(of_json)
    for row, same in zip(rows, of_json):
        assert float(row["true_error_mean"]) == pytest.approx(same["true_error_mean"], rel=1e-5)
        assert (row["work_units"] == "") == (same["work_units"] is None)
    for curve in case["solvers"]:
        assert curve["rows"][-1]["true_error_mean"] <= 1e-6
        loose, tight = (at["cpu_ms"] for at in curve["at_error"])
        assert 0 < loose <= tight and math.isfinite(tight)
    for name in ("accuracy_time.png", "accuracy_work.png"):
        assert np.asarray(Image.open(tmp_path / "out" / name).convert("L")).std() > 5


def test_table(tmp_path):
    done = run(*SUITE, "--cases", "box_sl*", "--samples", "1", "--solvers", "auto", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[:1] for line in lines[:2]] == [["case"], ["box_sliding"]]
    assert lines[-1].startswith("written to")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--suite", "accurcy"), "did you mean accuracy?"),
        ((*SUITE[1:], "--cases", "soft_bal/5k"), "did you mean soft_ball/5k?"),
        ((*SUITE[1:], "--cases", "soft_mat/100"), "soft_mat/100k"),
        ((*SUITE[1:], "--solvers", "cnod"), "did you mean cond?"),
        ((*SUITE[1:], "--solvers", "cond,cond"), "twice"),
        ((*SUITE[1:], "--samples", "0"), "--samples"),
        ((*SUITE[1:], "--cases", "box_sliding", "--samples", "101"), "at most 100"),
        ((*SUITE[1:], "--seconds", "-1"), "--seconds"),
        ((*SUITE[1:], "--set", "time.step_s=0.1"), "--set: does not go with --suite"),
        ((*SUITE[1:], "box.yaml"), "scenario: does not go with --suite"),
        (("box.yaml", "--cases", "soft_mat"), "--suite accuracy alone"),
        ((), "a scenario file or name is missing"),
    ],
)
def test_bad_input(words, says, tmp_path):
    expect_bad_input(run("compare", *words, cwd=tmp_path), says)
    assert not list(tmp_path.iterdir())


def test_an_interrupt_keeps_the_rows_that_are_done(tmp_path):
    words = [BINARY, *SUITE, "--cases", "box_sliding,soft_ball", "--samples", "1", "--out", tmp_path, "--json"]
    suite = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        until = time.monotonic() + 60
        while not (tmp_path / "accuracy.csv").exists() or len(read(tmp_path)) < 3:
            assert time.monotonic() < until and suite.poll() is None
            time.sleep(0.02)
        suite.send_signal(signal.SIGINT)
        out, _ = suite.communicate(timeout=60)
    finally:
        suite.kill()
    assert suite.returncode == 130
    table = json.loads(out)
    assert not table["complete"]
    kept = sum(len(curve["rows"]) for case in table["cases"] for curve in case["solvers"])
    assert kept == len(read(tmp_path)) >= 3
    assert not (tmp_path / "accuracy_time.png").exists(), "an interrupt waits for no picture"
