"""nodia verify says of every kind of damage what it is, and of a run that is whole that it is good."""

import json
import os
import random
import shutil
import subprocess
import time

import h5py
import pytest
from nodia_command import BINARY, expect_bad_input, needs_nodia, run, scenario

pytestmark = needs_nodia
__all__ = ["scenario"]


@pytest.fixture
def whole(scenario, tmp_path):
    out = tmp_path / "r"
    assert run("run", scenario, "--steps", 20, "--out", out).returncode == 0
    return out


def broken(folder):
    """File and reason of what is broken."""
    done = run("verify", folder, "--json")
    report = json.loads(done.stdout)
    assert done.returncode == (1 if report["broken"] else 0)
    return {b["file"]: b["reason"] for b in report["broken"]}


def test_a_run_that_is_whole_is_good(whole):
    done = run("verify", whole)
    assert done.returncode == 0
    assert done.stdout == f"{whole}: good; whole: 4 files, 20 steps, 21 frames\n"
    report = json.loads(run("verify", whole, "--json").stdout)
    assert report["format"] == "nodia_verify" and len(report["whole"]) == 4


def test_a_batch_that_is_whole_is_good(scenario, tmp_path):
    words = ["run", scenario, "--envs", 3, "--record-envs", "0,2", "--steps", 4, "--out", tmp_path / "r"]
    assert run(*words).returncode == 0
    assert "good; whole: 7 files, 12 steps, 10 frames" in run("verify", tmp_path / "r").stdout
    (tmp_path / "r/trajectory_env0002.vtkhdf").unlink()
    assert broken(tmp_path / "r") == {"trajectory_env0002.vtkhdf": "missing"}


def test_flipped_bytes_are_found_wherever_they_are(whole, tmp_path):
    """Of the file everything is under a checksum but fill bytes between its parts."""
    path = whole / "trajectory.vtkhdf"
    data = path.read_bytes()
    with h5py.File(path) as file:
        points = file["VTKHDF/Points"]
        assert points.fletcher32 and points.chunks
        first = points.id.get_chunk_info(0)
        places = [first.byte_offset, first.byte_offset + first.size // 2]
    found, tried = 0, 0
    chance = random.Random(3)
    for place in [*places, *(chance.randrange(len(data)) for _ in range(60))]:
        damaged = bytearray(data)
        for k in range(4):
            damaged[min(place + k, len(data) - 1)] ^= 0x5A
        path.write_bytes(damaged)
        told = broken(whole)
        if place in places:
            assert "Points: cannot be read, its checksum does not match" in told["trajectory.vtkhdf"]
        tried += 1
        found += "trajectory.vtkhdf" in told
    assert found > 0.8 * tried
    path.write_bytes(data)
    assert broken(whole) == {}


@pytest.mark.parametrize("name", ["steps.csv", "summary.json"])
def test_every_flipped_byte_of_a_text_is_found(whole, name):
    path = whole / name
    data = path.read_bytes()
    chance = random.Random(5)
    for _ in range(50):
        damaged = bytearray(data)
        damaged[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        assert name in broken(whole), bytes(damaged)
    path.write_bytes(data)
    assert broken(whole) == {}


@pytest.mark.parametrize("name", ["steps.csv", "summary.json"])
def test_a_value_that_was_changed_with_care_is_found(whole, name):
    """The text stays a whole table, or whole JSON."""
    path = whole / name
    text = path.read_text()
    old, new = (",converged,", ",iteration_limit,") if name == "steps.csv" else ('"converged_steps": 20', '"converged_steps": 19')
    assert old in text
    path.write_text(text.replace(old, new, 1))
    assert "checksum" in broken(whole)[name]


def test_rows_of_a_killed_run_are_compared_with_its_checkpoint(scenario, tmp_path):
    out = tmp_path / "r"
    words = ["run", scenario, "--steps", 20, "--checkpoint-every", 0.1, "--out", out]
    assert run(*words).returncode == 0
    rows = (out / "steps.csv").read_bytes()
    process = subprocess.Popen([BINARY, *map(str, words), "--overwrite", "--set", "time.duration_s=1000"])
    deadline = time.monotonic() + 100
    while not (out / "steps.csv").exists() or (out / "steps.csv").read_bytes().count(b"\n") < 15:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    process.kill()
    process.wait()
    assert set(broken(out)) <= {"summary.json"} and rows
    data = bytearray((out / "steps.csv").read_bytes())
    row = data.index(b"converged")
    data[row - 2] ^= 1  # a digit of the second column before it
    (out / "steps.csv").write_bytes(data)
    assert "steps.csv" in broken(out)


def test_a_summary_of_an_older_version_is_read_with_a_note(whole):
    path = whole / "summary.json"
    summary = json.loads(path.read_text())
    del summary["checksum"], summary["steps_csv"]
    summary["format_version"] = 1
    path.write_text(json.dumps(summary, indent=2) + "\n")
    done = run("verify", whole)
    assert done.returncode == 0 and "note: summary.json has format version 1, without checksums" in done.stdout


def test_render_refuses_a_damaged_trajectory(whole, tmp_path):
    path = whole / "trajectory.vtkhdf"
    data = bytearray(path.read_bytes())
    with h5py.File(path) as file:
        place = file["VTKHDF/Points"].id.get_chunk_info(0).byte_offset
    data[place] ^= 0x5A
    path.write_bytes(data)
    done = run("render", whole, "--out", tmp_path / "p.png")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "Points cannot be read, the file is damaged; nodia verify checks all files" in done.stderr
    assert not (tmp_path / "p.png").exists()


@pytest.mark.parametrize(
    ("name", "damage", "reason"),
    [
        ("steps.csv", lambda text: text[:-3], "cut in row 20"),
        ("steps.csv", lambda text: text[: text.rindex(b"\n", 0, -1) + 1], "19 steps of environment 0"),
        ("steps.csv", lambda text: text.replace(b"\n0,7,", b"\n0,8,"), "row 7: step 8"),
        ("steps.csv", lambda text: text.replace(b"converged", b"conv,rged", 1), "row 1 is damaged"),
        ("steps.csv", lambda text: b"", "names of its columns"),
        ("summary.json", lambda text: text[:-20], "damaged"),
        ("config.yaml", lambda text: text + b" ", "checksum does not match"),
        ("trajectory.vtkhdf", lambda text: text[:-1000], "damaged"),
        ("trajectory.vtkhdf", lambda text: b"", "damaged"),
        ("trajectory.vtkhdf", lambda text: b"x" * 100, "damaged"),
    ],
)
def test_damage_is_named(whole, name, damage, reason):
    text = (whole / name).read_bytes()
    (whole / name).write_bytes(damage(text))
    told = broken(whole)
    assert list(told) == [name]
    assert reason in told[name]


@pytest.mark.parametrize("name", ["config.yaml", "steps.csv", "summary.json", "trajectory.vtkhdf"])
def test_what_is_missing_or_a_pipe_is_named(whole, name):
    (whole / name).unlink()
    assert broken(whole)[name].startswith("missing")
    os.mkfifo(whole / name)
    assert broken(whole)[name] == "no regular file"


def test_a_trajectory_of_another_run_does_not_fit(whole, scenario, tmp_path):
    assert run("run", scenario, "--steps", 3, "--out", tmp_path / "other").returncode == 0
    shutil.copy(tmp_path / "other/trajectory.vtkhdf", whole)
    assert broken(whole) == {"trajectory.vtkhdf": "4 frames, summary.json says 21"}


def test_what_is_no_run_is_bad_input(tmp_path):
    expect_bad_input(run("verify", tmp_path), "holds no run")
    expect_bad_input(run("verify", tmp_path / "none"), "no such folder")
