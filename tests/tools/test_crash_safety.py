"""What a run leaves behind when it is interrupted, killed or runs out of disk."""

import csv
import json
import os
import random
import resource
import signal
import subprocess
import time

import h5py
import pytest
from nodia_command import BINARY, needs_nodia, scenario

pytestmark = needs_nodia
__all__ = ["scenario"]


def start(scenario, directory, *options, **arguments):
    words = [BINARY, "run", scenario, "--out", directory, "--steps", 1_000_000, "--json", *options]
    return subprocess.Popen(
        list(map(str, words)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **arguments,
    )


def wait_for_rows(directory, count):
    deadline = time.monotonic() + 60
    path = directory / "steps.csv"
    while time.monotonic() < deadline:
        if path.exists() and path.read_bytes().count(b"\n") > count:
            return
        time.sleep(0.005)
    raise AssertionError("the run does not advance")


def whole_rows(directory):
    text = (directory / "steps.csv").read_text()
    assert text.endswith("\n")
    rows = list(csv.reader(text.splitlines()))
    assert all(len(row) == len(rows[0]) for row in rows)
    assert [int(row[1]) for row in rows[1:]] == list(range(1, len(rows)))
    return len(rows) - 1


def frames_in(path):
    """Frames of a file, every one of them read."""
    with h5py.File(path) as file:
        root = file["VTKHDF"]
        n_frame, n_node = int(root["Steps"].attrs["NSteps"]), int(root["NumberOfPoints"][0])
        assert root["Points"][:].shape == (n_frame * n_node, 3)
        assert (root["Points"][:].reshape(n_frame, -1).any(axis=1)).all(), "no frame of zeros"
        assert root["PointData/velocity"][:].shape == (n_frame * n_node, 3)
        return [round(t / 0.01) for t in root["Steps/Values"][:]]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("part_frames", [5, 100_000])
def test_an_interrupt_finishes_the_step_and_closes_the_files(
    scenario, tmp_path, number, part_frames
):
    directory = tmp_path / "r"
    child = start(scenario, directory, "--set", f"output.part_frames={part_frames}")
    wait_for_rows(directory, 23)
    child.send_signal(number)
    output, messages = child.communicate(timeout=60)
    assert child.returncode == 130
    assert sorted(os.listdir(directory)) == [
        "config.yaml",
        "steps.csv",
        "summary.json",
        "trajectory.vtkhdf",
    ]
    n_step = whole_rows(directory)
    assert frames_in(directory / "trajectory.vtkhdf") == list(range(n_step + 1))
    summary = json.loads(output)
    assert summary["steps"] == n_step and summary["interrupted"] and summary["checks"] == []
    assert f"interrupted after step {n_step}" in messages


def test_a_kill_at_any_time_leaves_whole_parts_and_rows(scenario, tmp_path):
    chance = random.Random(11)
    n_part_seen = 0
    for trial in range(12):
        directory = tmp_path / str(trial)
        child = start(scenario, directory, "--set", "output.part_frames=4")
        wait_for_rows(directory, 1)
        time.sleep(chance.uniform(0, 0.15))
        child.kill()
        child.communicate(timeout=60)
        n_step = whole_rows(directory)
        parts = sorted(directory.glob("trajectory.part*.vtkhdf"))
        frames = [frame for part in parts for frame in frames_in(part)]
        assert frames == list(range(len(frames))), "no gap"
        assert len(frames) > n_step + 1 - 5, "no more than the open part is lost"
        assert not (directory / "trajectory.vtkhdf").exists()
        assert not (directory / "summary.json").exists()
        n_part_seen += len(parts)
    assert n_part_seen > 12


def test_a_full_disk_is_one_line_and_closed_parts_stay(scenario, tmp_path):
    """A file size limit: the table of steps hits it after some hundred rows."""
    directory = tmp_path / "r"

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, 120_000))

    child = start(scenario, directory, "--set", "output.part_frames=5", preexec_fn=limit)
    output, messages = child.communicate(timeout=120)
    assert child.returncode == 1
    assert output == ""
    assert messages.count("\n") == 1 and "steps.csv" in messages and "cannot write" in messages
    n_step = whole_rows(directory)
    frames = [
        frame
        for part in sorted(directory.glob("trajectory.part*.vtkhdf"))
        for frame in frames_in(part)
    ]
    assert frames == list(range(len(frames))) and len(frames) > n_step - 5
    assert not list(directory.glob("*.tmp"))


def test_a_trajectory_too_large_for_the_disk(scenario, tmp_path):
    directory = tmp_path / "r"

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (45_000, 45_000))

    child = start(scenario, directory, "--set", "output.part_frames=1000", preexec_fn=limit)
    wait_for_rows(directory, 50)
    child.send_signal(signal.SIGINT)
    output, messages = child.communicate(timeout=120)
    assert child.returncode == 1 and output == ""
    assert messages.count("\n") == 1 and "trajectory" in messages and "cannot write" in messages
    assert sorted(os.listdir(directory)) == ["config.yaml", "steps.csv"]
    whole_rows(directory)
