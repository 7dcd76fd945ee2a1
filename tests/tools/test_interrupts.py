"""An interrupt ends every kind of work within a second or so, and output that cannot be written is told."""

import json
import os
import re
import signal
import subprocess
import time

import pytest
from nodia_command import BINARY, needs_nodia, run, scenario

pytestmark = needs_nodia
__all__ = ["scenario"]

# It dips 10 mm into the floor: with some hundred contacts a step of 20,000 nodes by PGS takes minutes.
BALL = (
    "{{mesh: {{ball: {{radius_m: 0.2, nodes: {}}}}}, position_m: [0, 0, 0.19], "
    "youngs_modulus_Pa: 1.0e6, poissons_ratio: 0.3}}"
)
MOST_S = 5  # on a busy machine; it is 0.6 s on an idle one


def start(*words, **more):
    return subprocess.Popen(
        list(map(str, [BINARY, *words])),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def end(child, number=signal.SIGTERM):
    child.send_signal(number)
    began = time.monotonic()
    output, messages = child.communicate(timeout=60)
    assert time.monotonic() - began < MOST_S
    assert child.returncode == 130, messages
    return output, messages


def test_a_mesh_that_takes_long_is_cut(scenario, tmp_path):
    child = start("run", scenario, "--set", f"bodies.b={BALL.format(400_000)}", "--out", tmp_path / "r")
    time.sleep(1)
    _, messages = end(child)
    assert "interrupted before the first step" in messages
    assert not (tmp_path / "r").exists()


def test_environments_that_take_long_are_cut(scenario, tmp_path):
    child = start("run", scenario, "--envs", 100_000, "--out", tmp_path / "r")
    time.sleep(1.5)
    _, messages = end(child, signal.SIGINT)
    assert "interrupted before the first step" in messages
    assert not (tmp_path / "r").exists()


def test_a_step_that_takes_long_is_cut_and_not_recorded(scenario, tmp_path):
    ball = f"bodies={{b: {BALL.format(20_000)}}}"
    out = tmp_path / "r"
    child = start("run", scenario, "--set", ball, "--solver", "pgs", "--json", "--out", out)
    deadline = time.monotonic() + 60
    while not (out / "steps.csv").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    output, messages = end(child)
    summary = json.loads(output)
    n_row = (out / "steps.csv").read_text().count("\n") - 1
    assert summary["interrupted"] is True and summary["steps"] == n_row
    assert f"interrupted after step {n_row}" in messages
    assert sorted(os.listdir(out)) == ["config.yaml", "steps.csv", "summary.json", "trajectory.vtkhdf"]


def test_a_second_signal_ends_at_once(scenario, tmp_path):
    ball = f"bodies={{b: {BALL.format(20_000)}}}"
    child = start("run", scenario, "--set", ball, "--solver", "pgs", "--out", tmp_path / "r")
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    _, messages = end(child)
    assert "Traceback" not in messages


@pytest.mark.parametrize("verb", ["compare", "scale", "solve"])
def test_other_verbs_are_cut_too(scenario, tmp_path, verb):
    words = ["--step", 3] if verb == "solve" else []
    words += ["--out", tmp_path / "s"] if verb == "scale" else []
    child = start(verb, scenario, "--set", f"bodies={{b: {BALL.format(400_000)}}}", *words)
    time.sleep(1)
    end(child, signal.SIGINT)


def test_a_study_that_is_cut_leaves_no_lock(scenario, tmp_path):
    """A size of half a million nodes is meshed and solved for longer than an interrupt may take."""
    child = start("scale", scenario, "--nodes", "300,500000", "--solvers", "auto", "--out", tmp_path / "s")
    deadline = time.monotonic() + 60
    while not (tmp_path / "s/scale.csv").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert (tmp_path / "s/nodia.lock").exists()
    time.sleep(1)
    end(child, signal.SIGINT)
    assert os.listdir(tmp_path / "s") == ["scale.csv"]


def test_hang_up_is_ignored_under_nohup(scenario, tmp_path):
    words = ["nohup", str(BINARY), "run", str(scenario), "--steps", "2000", "--out", str(tmp_path / "r")]
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not (tmp_path / "r/steps.csv").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    child.send_signal(signal.SIGHUP)
    assert child.wait(60) == 0
    assert (tmp_path / "r/steps.csv").read_text().count("\n") == 2001


@pytest.mark.parametrize("words", [["info"], ["run", "SCENARIO", "--steps", "2", "--json"], ["--help"], ["paper"]])
def test_output_that_cannot_be_written_fails(scenario, tmp_path, words):
    words = [str(BINARY), *(str(scenario) if word == "SCENARIO" else word for word in words)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.endswith("standard output: cannot be written (No space left on device)\n")
    assert done.stderr.count("\n") == 1
    if "run" in words:
        assert (tmp_path / "out/sliding_box/summary.json").exists()


def test_a_reader_that_has_gone_does_no_harm_to_files(scenario, tmp_path):
    line = f"'{BINARY}' run '{scenario}' --steps 300 --json 2>&1 --out r | head -c 0"
    subprocess.run(["bash", "-c", line], cwd=tmp_path, check=True, capture_output=True)
    deadline = time.monotonic() + 60
    while not (tmp_path / "r/summary.json").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert json.loads((tmp_path / "r/summary.json").read_text())["steps"] == 300


def test_closed_standard_output_harms_no_file(scenario, tmp_path):
    line = f"'{BINARY}' run '{scenario}' --steps 3 --out r >&-"
    done = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert "standard output: cannot be written" in done.stderr
    assert (tmp_path / "r/steps.csv").read_text().count("\n") == 4
    assert run("run", tmp_path / "r/config.yaml", "--steps", 1, "--out", tmp_path / "s").returncode == 0


def test_on_a_terminal_long_work_is_told(scenario, tmp_path):
    import pty

    controller, terminal = pty.openpty()
    words = ["run", scenario, "--set", f"bodies.b={BALL.format(400_000)}", "--out", tmp_path / "r"]
    child = subprocess.Popen(
        list(map(str, [BINARY, *words])), stdout=subprocess.DEVNULL, stderr=terminal
    )
    os.close(terminal)
    seen = b""
    try:
        while not re.search(rb"(reading the scenario|building the bodies|step 1 of 30), 1 s", seen):
            seen += os.read(controller, 4096)
    finally:
        child.kill()
        child.wait(60)
        os.close(controller)
